"""Imports what the programs in this folder import."""

import matplotlib.pyplot
import sklearn.metrics
import tensorflow
import torch.utils.tensorboard
import transformers

assert [matplotlib.pyplot, sklearn.metrics, tensorflow, transformers]
assert torch.version.cuda is None
tensorflow.keras.Sequential([tensorflow.keras.layers.Dense(1)]).build((1, 1))
assert [transformers.BertConfig, transformers.BertForSequenceClassification, transformers.Trainer]
