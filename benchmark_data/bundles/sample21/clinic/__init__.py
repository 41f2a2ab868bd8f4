"""A small-town clinic: patients, visits with diagnoses and prescriptions, and long series of laboratory results."""
