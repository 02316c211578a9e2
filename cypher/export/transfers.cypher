// All transfers that leave these addresses.
// Parameters: $key, keys of addresses.
// Rows: from, to, properties (of one transfer).
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(b:Address)
RETURN a.key AS from, b.key AS to, properties(t) AS properties
