// Question: which addresses become members of entities? Connects them.
// Params: one entry per address: $key, $id (of the entity), $key_id, $tx_hash, $at; of them all $basis, $confidence (null: unknown)
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
MATCH (e:Entity {id: $id[i]})
CREATE (a)-[:MEMBER {
  basis: $basis, key_id: $key_id[i], tx_hash: $tx_hash[i], at: $at[i], confidence: $confidence
}]->(e)
