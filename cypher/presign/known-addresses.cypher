// Question: which of these addresses does the graph know?
// Params: $keys (list of `chain:address`)
// Rows: one per known address: key
UNWIND $keys AS key
MATCH (a:Address {key: key})
RETURN a.key AS key
ORDER BY key
