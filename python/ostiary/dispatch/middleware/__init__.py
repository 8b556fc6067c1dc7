"""One file for each middleware; `docs/calls.md` says in which order they belong."""
