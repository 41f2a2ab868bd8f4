"""AptBoard Sample 21, as far as it needs an engine: checking its sources, proving its gold, its report."""
