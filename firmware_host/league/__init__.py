"""A league: results of many boards from a cluster of brokers into one database, exactly once in effect."""
