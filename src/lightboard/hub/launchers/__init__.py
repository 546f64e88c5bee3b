"""Where boards run: one seam (`base`), the processes of this machine (`local`), a scripted fake (`memory`)."""
