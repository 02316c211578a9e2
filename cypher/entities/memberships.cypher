// Question: to which entities do these addresses belong, and why? Nothing may change them before the transaction ends.
// Params: $key: keys of addresses, sorted
// Rows: one for each known address: key, listed (its owner by lists), label; of its entity id, size, whole_basis, name; of its membership
// basis, key_id, tx_hash, at (null: none)
// Part: ingest/locked
CALL (a) {
  MATCH (a)-[m:MEMBER]->(e:Entity)
  RETURN collect([e.id, e.size, e.basis, e.name, m.basis, m.key_id, m.tx_hash, m.at]) AS held
}
RETURN a.key AS key, a.entity_id AS listed, a.label AS label, held[0][0] AS id, held[0][1] AS size, held[0][2] AS whole_basis,
  held[0][3] AS name, held[0][4] AS basis, held[0][5] AS key_id, held[0][6] AS tx_hash, held[0][7] AS at
