"""Judgements about tool calls: what a shield is, and the shields that come with the house."""
