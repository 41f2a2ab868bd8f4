"""SQL questions as MongoDB queries: a rule-based compiler, paths through a docmap, flags and evidence."""
