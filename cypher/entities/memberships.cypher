// Question: to which entities do these addresses belong, and why? Nothing may change them before the transaction ends.
// Params: $key: keys of addresses, sorted
// Rows: one for each known address: key, listed (its owner by lists), label; of its entity id, size, whole_basis, name; of its membership
// basis, key_id, tx_hash, at (null: none)
// Part: ingest/locked
OPTIONAL MATCH (a)-[m:MEMBER]->(e:Entity)
RETURN a.key AS key, a.entity_id AS listed, a.label AS label, e.id AS id, e.size AS size, e.basis AS whole_basis, e.name AS name,
  m.basis AS basis, m.key_id AS key_id, m.tx_hash AS tx_hash, m.at AS at
