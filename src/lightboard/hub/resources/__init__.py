"""The resources of the hub: frozen records and rules about a single record. No database, network or clock."""
