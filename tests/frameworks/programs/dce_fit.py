"""What the document of DCE runs in a notebook (A9), with random images of the shape of MNIST."""

import datetime

import numpy as np
import tensorflow as tf

x_train, y_train = np.random.rand(256, 28, 28).astype("float32"), np.random.randint(0, 10, 256)
x_test, y_test = np.random.rand(64, 28, 28).astype("float32"), np.random.randint(0, 10, 64)

# Define log directory
log_dir = "logs/fit/" + datetime.datetime.now().strftime("%Y%m%d-%H%M%S")

# Create Tensorboard callback
tensorboard_callback = tf.keras.callbacks.TensorBoard(log_dir=log_dir, histogram_freq=1)

# Build and compile model
model = tf.keras.models.Sequential(
    [
        tf.keras.layers.Flatten(input_shape=(28, 28)),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(10, activation="softmax"),
    ]
)

model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])

# Train model and enable Tensorboard callback
model.fit(x_train, y_train, epochs=5, validation_data=(x_test, y_test), callbacks=[tensorboard_callback])
