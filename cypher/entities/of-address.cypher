// Question: to which entity does an address belong, and why?
// Params: $key: `<chain>:<address>`
// Rows: one, or none: id, basis, tx_hash, at, confidence (null: unknown)
MATCH (a:Address {key: $key})
MATCH (a)-[m:MEMBER]->(e:Entity)
RETURN e.id AS id, m.basis AS basis, m.tx_hash AS tx_hash, m.at AS at, m.confidence AS confidence
