// Which of the addresses does the graph hold?
// Parameters: $key, keys of addresses.
// Rows: key of each that it holds.
UNWIND $key AS key
MATCH (a:Address {key: key})
RETURN a.key AS key
