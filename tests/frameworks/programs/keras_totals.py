"""Prints models as JSON, with what Keras says of each layer: parameters, and those that are trained."""

import json

import keras
from keras import layers

frozen = layers.Dense(5, name="frozen")
frozen.trainable = False
MODELS = [
    keras.Sequential(
        [
            keras.Input((16, 16, 3)),
            layers.Conv2D(6, 3, name="conv"),
            layers.BatchNormalization(name="norm"),
            layers.ReLU(name="relu"),
            layers.DepthwiseConv2D(3, name="depthwise"),
            layers.MaxPooling2D(name="pool"),
            layers.Conv2DTranspose(4, 2, name="transposed"),
            layers.Flatten(name="flatten"),
            frozen,
            layers.Dropout(0.5, name="dropout"),
            layers.Dense(2, use_bias=False, name="out"),
        ]
    ),
    keras.Sequential(
        [
            keras.Input((7,), dtype="int32"),
            layers.Embedding(11, 4, name="embedding"),
            layers.Conv1D(4, 3, padding="same", name="conv"),
            layers.LayerNormalization(name="norm"),
            layers.LSTM(3, return_sequences=True, name="lstm"),
            layers.GRU(2, name="gru"),
            layers.Dense(2, dtype="mixed_bfloat16", name="out"),
        ]
    ),
]


def count(weights: list) -> int:
    return sum(int(weight.numpy().size) for weight in weights)


for model in MODELS:
    print(
        json.dumps(
            {
                "model": json.loads(model.to_json()),
                "parameters": model.count_params(),
                "bytes": sum(weight.numpy().nbytes for weight in model.weights),
                "layers": {
                    layer.name: [layer.count_params(), count(layer.trainable_weights)] for layer in model.layers
                },
            }
        )
    )
