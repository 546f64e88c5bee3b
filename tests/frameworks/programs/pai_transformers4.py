"""`train.py` of the document of PAI with Transformers 4 (D7), on a tiny BERT and random words.

Its second import, and what is below the model, is as printed, but for `args=args` (D-T1) and what stands for "more".
"""
# ruff: noqa: F401, I001

import os

import torch
from transformers import BertConfig, BertForSequenceClassification
from transformers import TrainingArguments, Trainer, DataCollatorWithPadding, HfArgumentParser

model = BertForSequenceClassification(
    BertConfig(
        vocab_size=32,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=8,
    )
)
words = [{"input_ids": torch.randint(0, 32, (8,)), "labels": index % 2} for index in range(40)]

log_dir = os.environ.get("PAI_OUTPUT_TENSORBOARD")

# 配置使用TensorBoard写出metric到指定目录。
args = TrainingArguments(
    # set log dir for tensorboard
    logging_dir=log_dir,
    report_to="tensorboard",
    # logging strategy
    logging_strategy="steps",
    logging_steps=400,
    # more training arguments..
    max_steps=400,
    per_device_train_batch_size=1,
    save_strategy="no",
    use_cpu=True,
)

trainer = Trainer(
    model=model,
    args=args,
    # more args for trainer
    train_dataset=words,
)
trainer.train()
