// Question: which transfers leave these addresses?
// Params: $key: keys of addresses
// Rows: from, to, properties (of one TRANSFER)
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(b:Address)
RETURN a.key AS from, b.key AS to, properties(t) AS properties
