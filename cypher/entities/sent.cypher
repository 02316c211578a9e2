// Question: what does an entity pay to others, without what it pays itself?
// Params: $id: id of the entity
// Rows: one: usd, transfers, unpriced (0 for nothing)
MATCH (e:Entity {id: $id})
MATCH (e)<-[:MEMBER]-(a:Address)
MATCH (a)-[f:FLOW]->(other:Address)
WHERE NOT EXISTS { MATCH (other)-[:MEMBER]->(e) }
RETURN coalesce(sum(f.usd), 0) AS usd, coalesce(sum(f.tx_count), 0) AS transfers,
  coalesce(sum(f.unpriced_count), 0) AS unpriced
