"""AptBoard Sample 21: 21 made-up relational databases, their document designs, and questions with proved gold."""
