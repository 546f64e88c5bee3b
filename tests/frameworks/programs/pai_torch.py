"""`train.py` of the document of PAI with PyTorch (D6), as printed."""

import os

import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter(log_dir=os.environ.get("PAI_OUTPUT_TENSORBOARD"))

writer.add_scalar("train/loss", 0.1, 1)
writer.add_image("train/image", torch.rand(3, 64, 64), 1)
writer.flush()
