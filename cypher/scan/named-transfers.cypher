// Question: which of these transfers of an address does the graph hold?
// Params: $key (`chain:address`), $named: map from transfer id to true
// Rows: the transfer's properties with from and to, in no order
MATCH (a:Address {key: $key})-[t:TRANSFER]->(b:Address)
WITH a, b, t, $named[t.id] AS named WHERE named IS NOT NULL
RETURN properties(t) AS transfer, a.address AS from_address, b.address AS to_address
UNION ALL
MATCH (a:Address {key: $key})<-[t:TRANSFER]-(b:Address)
WHERE b.key <> a.key
WITH a, b, t, $named[t.id] AS named WHERE named IS NOT NULL
RETURN properties(t) AS transfer, b.address AS from_address, a.address AS to_address
