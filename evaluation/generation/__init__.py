"""Generation: asking a model for a query to every item, within limits of pace and budget, losing no reply."""
