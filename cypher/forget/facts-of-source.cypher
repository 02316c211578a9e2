// Question: which transfers that a source gave leave these addresses?
// Params: $key: keys of addresses; $source, `file` for what loaded files gave
// Rows: from, to (keys), id, at, in no order
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(b:Address)
WHERE coalesce(t.source, 'file') = $source
RETURN a.key AS from, b.key AS to, t.id AS id, t.at AS at
