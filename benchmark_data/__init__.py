"""What is measured: benchmark bundles, their loaders and the conversions into them."""
