"""The HTTP half of the hub: one file per noun, and the door through which boards are reached."""
