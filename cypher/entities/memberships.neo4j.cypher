// Question: the same as memberships.cypher, where writes run concurrently: their entities are locked too, and read once they are.
// Params: the same
// Rows: the same
// Part: ingest/locked
OPTIONAL MATCH (a)-[:MEMBER]->(own:Entity)
SET own.locked = true
REMOVE own.locked
WITH collect(a) AS found
UNWIND found AS a
OPTIONAL MATCH (a)-[m:MEMBER]->(e:Entity)
RETURN a.key AS key, a.entity_id AS listed, a.label AS label, e.id AS id, e.size AS size, e.basis AS whole_basis, e.name AS name,
  m.basis AS basis, m.key_id AS key_id, m.tx_hash AS tx_hash, m.at AS at
