/** A few lines that write a first scalar, per framework. Code, so not translated. */

export const FRAMEWORKS = ["pytorch", "keras", "jax"] as const;
export type Framework = (typeof FRAMEWORKS)[number];

export const FRAMEWORK_NAMES: Record<Framework, string> = { pytorch: "PyTorch", keras: "Keras", jax: "JAX" };

/** `logdir` as it would be written between double quotes. */
export function snippet(framework: Framework, logdir: string): string {
  const folder = JSON.stringify(`${logdir.replace(/\/$/, "")}/run1`);
  return SNIPPETS[framework].replace("FOLDER", folder);
}

const SNIPPETS: Record<Framework, string> = {
  pytorch: `from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter(FOLDER)
for step in range(100):
    writer.add_scalar("train/loss", 1 / (step + 1), step)
writer.close()`,
  keras: `import keras

board = keras.callbacks.TensorBoard(log_dir=FOLDER)
model.fit(x, y, epochs=5, callbacks=[board])`,
  jax: `from tensorboardX import SummaryWriter

writer = SummaryWriter(FOLDER)
for step in range(100):
    writer.add_scalar("train/loss", float(loss), step)
writer.close()`,
};
