// Question: to which entities do addresses belong, and why?
// Params: $key: keys of addresses
// Rows: one for each that belongs to one: key; of its entity id, name, category, whole_basis, size, several_services; of its
// membership basis, tx_hash, at, confidence (null: unknown)
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[m:MEMBER]->(e:Entity)
RETURN a.key AS key, e.id AS id, e.name AS name, e.category AS category, e.basis AS whole_basis, e.size AS size,
  e.several_services AS several_services, m.basis AS basis, m.tx_hash AS tx_hash, m.at AS at, m.confidence AS confidence
