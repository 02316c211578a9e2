// Question: which entities turn out to be part of larger ones? Their members move there.
// Params: one entry per entity: $id, $to (id of the larger one)
// Rows: none
UNWIND range(0, size($id) - 1) AS i
MATCH (e:Entity {id: $id[i]})
MATCH (larger:Entity {id: $to[i]})
MATCH (a:Address)-[m:MEMBER]->(e)
CREATE (a)-[:MEMBER {basis: m.basis, key_id: m.key_id, tx_hash: m.tx_hash, at: m.at, confidence: m.confidence}]->(larger)
DELETE m
