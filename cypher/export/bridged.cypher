// Question: by which bridges did money leave these addresses?
// Params: $key: keys of addresses
// Rows: from, to, properties (of one BRIDGED)
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[b:BRIDGED]->(o:Address)
RETURN a.key AS from, o.key AS to, properties(b) AS properties
