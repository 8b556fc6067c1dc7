"""Both doors where agents already run: one file a framework, on public names alone."""
