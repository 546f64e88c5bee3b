"""What the hub keeps: frozen records and the rules that belong to each alone. No database, no network, no clock."""
