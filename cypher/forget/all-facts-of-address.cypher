// Question: which transfers of an address does the graph hold, whatever gave them?
// Params: $key
// Rows: from, to (keys), id, in no order
MATCH (a:Address {key: $key})
MATCH (a)-[t:TRANSFER]->(b:Address)
RETURN a.key AS from, b.key AS to, t.id AS id
UNION ALL
MATCH (a:Address {key: $key})
MATCH (a)<-[t:TRANSFER]-(b:Address)
WHERE b.key <> $key
RETURN b.key AS from, a.key AS to, t.id AS id
