// Question: which roll-ups leave these addresses?
// Params: $key: keys of addresses
// Rows: from, to, properties (of one FLOW)
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[f:FLOW]->(b:Address)
RETURN a.key AS from, b.key AS to, properties(f) AS properties
