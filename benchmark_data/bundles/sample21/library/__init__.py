"""Library: the branches, titles, copies, members and loans of a town library."""
