"""The practice endpoint: a small OpenAI-compatible server whose models behave well or badly on demand."""
