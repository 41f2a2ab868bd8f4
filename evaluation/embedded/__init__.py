"""Parts that AptBoard can start by itself, each as its own process."""
