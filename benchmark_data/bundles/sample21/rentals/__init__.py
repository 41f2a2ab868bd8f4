"""A letting agency: flats, houses and shops, their owners and tenants, leases with payments, and repairs."""
