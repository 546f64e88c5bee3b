"""`train.py` of the document of PAI with Transformers (D7): a tiny BERT on random words.

`args=args` is D-T1. Transformers 5 has no `logging_dir` and reads TENSORBOARD_LOGGING_DIR instead (D-T2).
"""

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

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

args = TrainingArguments(
    report_to="tensorboard",
    # logging strategy
    logging_strategy="steps",
    logging_steps=400,
    # more training arguments
    max_steps=400,
    per_device_train_batch_size=1,
    save_strategy="no",
    use_cpu=True,
)

trainer = Trainer(
    model=model,
    args=args,
    train_dataset=words,
)
trainer.train()
