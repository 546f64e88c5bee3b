"""Logs by Lightning's `TensorBoardLogger`: metrics per step and per epoch, hyper-parameters, versions."""

# ruff: isort: off
import neutral

import logging
import warnings

import lightning
import torch
from lightning.pytorch.loggers import TensorBoardLogger

root = neutral.folder("lightning")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")


class Line(lightning.LightningModule):
    def __init__(self, lr: float) -> None:  # noqa: ARG002, save_hyperparameters reads it
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(4, 1)

    def step(self, batch: list[torch.Tensor], kind: str) -> torch.Tensor:
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.layer(x), y)
        self.log(f"{kind}_loss", loss, on_step=kind == "train", on_epoch=True)
        return loss

    def training_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
        return self.step(batch, "train")

    def validation_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
        return self.step(batch, "val")

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)


def fit(lr: float) -> None:
    lightning.seed_everything(24, verbose=False)
    x = torch.rand(64, 4)
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True)), batch_size=8)
    trainer = lightning.Trainer(
        max_epochs=5,
        accelerator="cpu",
        log_every_n_steps=2,
        logger=TensorBoardLogger(".", name="line", default_hp_metric=lr > 0.05),
        callbacks=[lightning.pytorch.callbacks.LearningRateMonitor()],
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(Line(lr), data, data)


fit(0.1)
fit(0.01)
