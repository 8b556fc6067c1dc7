"""The rules of `CommandShield`, one file a kind: `RULES` says them, `CHECKS` finds them."""
