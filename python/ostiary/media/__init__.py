"""The media door: bytes become content blocks here, and nowhere else."""
