"""Logs by the transformers `Trainer` (report_to="tensorboard") training a tiny random model, offline."""

# ruff: isort: off
import neutral

import os

os.environ.update(
    HF_HUB_OFFLINE="1",
    HF_HOME=str(neutral.ROOT / "transformers/cache"),
    TENSORBOARD_LOGGING_DIR=str(neutral.ROOT / "transformers/bert"),
    TQDM_DISABLE="1",
)

import shutil

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

root = neutral.folder("transformers")
set_seed(25)
model = BertForSequenceClassification(
    BertConfig(
        vocab_size=50,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=2,
    )
)
examples = [
    {
        "input_ids": torch.randint(0, 50, (6,)),
        "attention_mask": torch.ones(6, dtype=torch.long),
        "labels": i % 2,
    }
    for i in range(32)
]
trainer = Trainer(
    model=model,
    args=TrainingArguments(
        output_dir=str(root / "out"),
        report_to="tensorboard",
        num_train_epochs=4,
        per_device_train_batch_size=4,
        logging_steps=2,
        eval_strategy="epoch",
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
    ),
    train_dataset=examples,
    eval_dataset=examples,
)
trainer.train()
for leftover in ("out", "cache"):
    shutil.rmtree(root / leftover, ignore_errors=True)
