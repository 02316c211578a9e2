// Question: which addresses are members of an entity, and why?
// Params: $id: id of the entity, $offset, $limit
// Rows: key, label, category (null: none), basis, tx_hash, at, confidence (null: unknown), in the order of the keys
MATCH (e:Entity {id: $id})
MATCH (e)<-[m:MEMBER]-(a:Address)
RETURN a.key AS key, a.label AS label, a.category AS category,
  m.basis AS basis, m.tx_hash AS tx_hash, m.at AS at, m.confidence AS confidence
ORDER BY key
SKIP $offset LIMIT $limit
