"""The bundles that ship with the project, and the code that makes their documents."""
