"""A tool call's way: a pipeline of middleware around the core that runs the tool."""
