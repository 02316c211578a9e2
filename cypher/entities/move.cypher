// Question: which entities turn out to be part of larger ones? Their members move there, some of them at a time.
// Params: one entry per entity: $id, $to (id of the larger one); $limit: members that move at once, whichever
// Rows: one: moved, fewer than $limit once none is left
UNWIND range(0, size($id) - 1) AS i
MATCH (e:Entity {id: $id[i]})
MATCH (larger:Entity {id: $to[i]})
MATCH (e)<-[m:MEMBER]-(a:Address)
WITH a, m, larger LIMIT $limit
CREATE (a)-[:MEMBER {basis: m.basis, key_id: m.key_id, tx_hash: m.tx_hash, at: m.at, confidence: m.confidence}]->(larger)
DELETE m
RETURN count(a) AS moved
