"""Prediction files: what a submitter sends, read and checked."""
