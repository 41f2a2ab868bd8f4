"""A parcel service: depots and the routes between them, parcels with every scan, tours of drivers, and claims."""
