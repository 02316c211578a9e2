// Question: who owns these addresses?
// Params: $key: keys of addresses
// Rows: key, properties (of its owner)
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[:BELONGS_TO]->(e:Entity)
RETURN a.key AS key, properties(e) AS properties
