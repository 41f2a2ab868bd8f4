"""A laboratory's molecules as graphs of atoms and bonds, with assays, properties, activities and batches."""
