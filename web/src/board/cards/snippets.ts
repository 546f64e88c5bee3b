/** Code for each page that logs its data, by writer. Not translated; FOLDER is replaced by the logdir. */

const TORCH = `from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter(FOLDER)
`;
const TF = `import tensorflow as tf

with tf.summary.create_file_writer(FOLDER).as_default():
`;

/** Code by the name of the writer. */
export type Snippets = Readonly<Record<string, string>>;

const SCALARS: Snippets = {
  PyTorch: `${TORCH}for step in range(100):
    writer.add_scalar("train/loss", 1 / (step + 1), step)
writer.close()`,
  Keras: `import keras

board = keras.callbacks.TensorBoard(log_dir=FOLDER)
model.fit(x, y, epochs=5, callbacks=[board])`,
  JAX: `from tensorboardX import SummaryWriter

writer = SummaryWriter(FOLDER)
for step in range(100):
    writer.add_scalar("train/loss", float(loss), step)
writer.close()`,
};

export const SNIPPETS: Readonly<Record<string, Snippets>> = {
  timeseries: SCALARS,
  runs: SCALARS,
  images: {
    PyTorch: `${TORCH}writer.add_images("samples", batch, step)  # N × C × H × W
writer.add_figure("confusion", figure, step)
writer.close()`,
    TensorFlow: `${TF}    tf.summary.image("samples", batch, step=step)  # N × H × W × C`,
  },
  audio: {
    PyTorch: `${TORCH}writer.add_audio("speech", waveform, step, sample_rate=16000)
writer.close()`,
    TensorFlow: `${TF}    tf.summary.audio("speech", waveform, sample_rate=16000, step=step)`,
  },
  text: {
    PyTorch: `${TORCH}writer.add_text("sample", "**The** quick brown fox", step)
writer.close()`,
    TensorFlow: `${TF}    tf.summary.text("sample", "**The** quick brown fox", step=step)`,
  },
  histograms: {
    PyTorch: `${TORCH}for name, weights in model.named_parameters():
    writer.add_histogram(name, weights, step)
writer.close()`,
    Keras: `import keras

board = keras.callbacks.TensorBoard(log_dir=FOLDER, histogram_freq=1)
model.fit(x, y, epochs=5, callbacks=[board])`,
  },
  pr_curves: {
    PyTorch: `${TORCH}writer.add_pr_curve("class_0", labels, predictions, step)
writer.close()`,
    TensorBoard: `${TF}    summary = pr_curve.summary.pb("class_0", labels, predictions)
    tf.summary.experimental.write_raw_pb(summary.SerializeToString(), step=step)`,
  },
  hparams: {
    PyTorch: `${TORCH}writer.add_hparams({"lr": 3e-4, "batch_size": 32}, {"accuracy": accuracy})
writer.close()`,
    TensorBoard: `from tensorboard.plugins.hparams import api as hp

${TF}    hp.hparams({"lr": 3e-4, "batch_size": 32})
    tf.summary.scalar("accuracy", accuracy, step=step)`,
  },
  mesh: {
    PyTorch: `${TORCH}writer.add_mesh("shape", vertices, colors=colors, faces=faces, global_step=step)
writer.close()`,
  },
  projector: {
    PyTorch: `${TORCH}writer.add_embedding(vectors, metadata=labels, label_img=pictures, tag="features")
writer.close()`,
    Keras: `import keras

board = keras.callbacks.TensorBoard(log_dir=FOLDER, embeddings_freq=1)
model.fit(x, y, epochs=5, callbacks=[board])`,
  },
  custom_scalars: {
    PyTorch: `${TORCH}writer.add_custom_scalars({"losses": {"all": ["Multiline", ["train/loss", "eval/loss"]]}})
writer.close()`,
  },
  profile: {
    PyTorch: `from torch.profiler import profile, schedule, tensorboard_trace_handler

with profile(
    schedule=schedule(wait=1, warmup=1, active=3),
    on_trace_ready=tensorboard_trace_handler(FOLDER),
    record_shapes=True,
) as profiler:
    for batch in batches:
        train(batch)
        profiler.step()`,
    TensorFlow: `import tensorflow as tf

tf.profiler.experimental.start(FOLDER)
for step in range(3):
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        train()
tf.profiler.experimental.stop()

# With tf.summary, trace_on needs the folder; trace_export ignores it.
tf.summary.trace_on(graph=True, profiler=True, profiler_outdir=FOLDER)`,
    Keras: `import keras

board = keras.callbacks.TensorBoard(log_dir=FOLDER, profile_batch=(10, 20))
model.fit(x, y, epochs=5, callbacks=[board])`,
    JAX: `import jax

with jax.profiler.trace(FOLDER):
    for step in range(3):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            train()`,
  },
  graphs: {
    PyTorch: `${TORCH}writer.add_graph(model, example)
writer.close()`,
    TensorFlow: `${TF}    tf.summary.graph(train_step.get_concrete_function(x, y).graph)`,
    Keras: `import keras

board = keras.callbacks.TensorBoard(log_dir=FOLDER)
model.fit(x, y, epochs=5, callbacks=[board])`,
    JAX: `import os, jax

os.makedirs(FOLDER, exist_ok=True)
program = jax.jit(train_step).lower(state, batch).as_text(debug_info=True)
open(os.path.join(FOLDER, "train_step.mlir"), "w").write(program)`,
  },
};
