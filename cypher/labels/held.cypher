// Question: which of these addresses does the graph hold?
// Params: $key: keys of addresses
// Rows: key of each that it holds
UNWIND $key AS key
MATCH (a:Address {key: key})
RETURN a.key AS key
