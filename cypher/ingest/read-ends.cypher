// Which of these addresses does the graph hold?
// Parameters: $key, keys of addresses.
// Rows: key.
UNWIND $key AS key
MATCH (a:Address {key: key})
RETURN a.key AS key
