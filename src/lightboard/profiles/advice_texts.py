"""What advice says in English, and which change in the code it suggests. Pages translate the sentences."""

from lightboard.profiles.advice import Rule

TEXTS: dict[Rule, str] = {
    "capped": "The capture is incomplete, and so are its figures: see what could not be read.",
    "no_steps": "No steps are marked, so their times, their spread and the skew of ranks are unknown.",
    "input": "A device is idle for {share} of the time ({time}) while the host prepares input.",
    "launch": (
        "{share} of the {number} kernels take less than 10 µs, and the device is idle "
        "for {time}: starting them takes longer than running them."
    ),
    "copy_exposed": "Copies take {share} of the time ({time}) in which nothing is computed.",
    "copy_pageable": (
        "Copies of memory that is not pinned take {share} of the time ({time}), and "
        "computation cannot overlap with them."
    ),
    "straggler": (
        "This rank comes last to collective operations in {number} steps. The others "
        "wait {share} of the time for it ({time})."
    ),
    "no_stacks": "Operators have no scopes, since the profiler has not recorded modules.",
    "no_shapes": "Operators do not say the shapes of their inputs, since the profiler has not recorded them.",
}
"""With the fields of the advice: {share}, {number} and {time}."""

CHANGES: dict[Rule, str] = {
    "capped": "profiling.capture(log_dir)  # around some ten steps, not a whole training",
    "no_steps": "with capture.step(number):  # of lightboard.profiling, around each step",
    "input": (
        "DataLoader(dataset, num_workers=8, prefetch_factor=4)  # TensorFlow: dataset.prefetch(tf.data.AUTOTUNE)"
    ),
    "launch": (
        'torch.compile(model, mode="reduce-overhead"); AdamW(parameters, fused=True)  # '
        "JAX: jax.jit around the whole step"
    ),
    "copy_exposed": "batch = batch.to(device, non_blocking=True)  # of the next step, while this one is computed",
    "copy_pageable": "DataLoader(dataset, pin_memory=True); batch.to(device, non_blocking=True)",
    "straggler": (
        "DistributedSampler(dataset, drop_last=True)  # equal work for all ranks; if it is equal, look at the machine"
    ),
    "no_stacks": "torch.profiler.profile(with_stack=True, with_modules=True)",
    "no_shapes": "torch.profiler.profile(record_shapes=True)",
}
