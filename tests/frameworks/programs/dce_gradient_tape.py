"""The custom loop of the document of DCE (A10, A11), with what it leaves open: data, model and steps."""

import numpy as np
import tensorflow as tf

EPOCHS = 3
learning_rate = 0.001
model = tf.keras.models.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
optimizer = tf.keras.optimizers.Adam(learning_rate)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy()
train_loss, val_loss = tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
val_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


def batches(count):
    images, labels = np.random.rand(count, 28, 28).astype("float32"), np.random.randint(0, 10, count)
    return tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)


train_dataset, val_dataset = batches(128), batches(64)


def train_step(x_train, y_train):
    global gradients
    with tf.GradientTape() as tape:
        predictions = model(x_train, training=True)
        loss = loss_object(y_train, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    gradients = gradients[0]
    train_loss(loss)
    train_accuracy(y_train, predictions)


def val_step(x_val, y_val):
    predictions = model(x_val)
    val_loss(loss_object(y_val, predictions))
    val_accuracy(y_val, predictions)


# Create log directories
train_log_dir = "logs/gradient_tape/train"
val_log_dir = "logs/gradient_tape/val"
train_summary_writer = tf.summary.create_file_writer(train_log_dir)
val_summary_writer = tf.summary.create_file_writer(val_log_dir)

# Train model and record logs
for epoch in range(EPOCHS):
    for x_train, y_train in train_dataset:
        # Training step
        train_step(x_train, y_train)
        with train_summary_writer.as_default():
            tf.summary.scalar("loss", train_loss.result(), step=epoch)
            tf.summary.scalar("accuracy", train_accuracy.result(), step=epoch)

    for x_val, y_val in val_dataset:
        # Validation step
        val_step(x_val, y_val)
        with val_summary_writer.as_default():
            tf.summary.scalar("loss", val_loss.result(), step=epoch)
            tf.summary.scalar("accuracy", val_accuracy.result(), step=epoch)

    # Record custom logs
    with train_summary_writer.as_default():
        tf.summary.scalar("learning_rate", learning_rate, step=epoch)
        tf.summary.histogram("gradients", gradients, step=epoch)
