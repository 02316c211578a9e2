// Question: what is known of addresses, and of their membership in an entity?
// Params: $key: keys of addresses
// Rows: one for each known address: key, chain, label, category, first_seen_at, last_seen_at; of its entity id, name, entity_category,
// size, several_services; of its membership basis, tx_hash, at, confidence (null: none)
UNWIND $key AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[m:MEMBER]->(e:Entity)
  RETURN collect([e.id, e.name, e.category, e.size, e.several_services, m.basis, m.tx_hash, m.at, m.confidence]) AS held
}
RETURN a.key AS key, a.chain AS chain, a.label AS label, a.category AS category, a.first_seen_at AS first_seen_at,
  a.last_seen_at AS last_seen_at, held[0][0] AS id, held[0][1] AS name, held[0][2] AS entity_category, held[0][3] AS size,
  held[0][4] AS several_services, held[0][5] AS basis, held[0][6] AS tx_hash, held[0][7] AS at, held[0][8] AS confidence
