"""A town museum: paintings, sculptures and coins of many hands, their galleries, loans and treatments."""
