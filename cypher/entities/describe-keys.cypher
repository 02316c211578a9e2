// Question: what is known of addresses, and of their membership in an entity?
// Params: $key: keys of addresses
// Rows: one for each known address: key, chain, label, category, first_seen_at, last_seen_at; of its entity id, name, entity_category,
// size, several_services; of its membership basis, tx_hash, at, confidence (null: none)
UNWIND $key AS key
MATCH (a:Address {key: key})
OPTIONAL MATCH (a)-[m:MEMBER]->(e:Entity)
RETURN a.key AS key, a.chain AS chain, a.label AS label, a.category AS category, a.first_seen_at AS first_seen_at,
  a.last_seen_at AS last_seen_at, e.id AS id, e.name AS name, e.category AS entity_category, e.size AS size,
  e.several_services AS several_services, m.basis AS basis, m.tx_hash AS tx_hash, m.at AS at, m.confidence AS confidence
