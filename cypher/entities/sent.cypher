// Question: what does an entity pay to others, without what it pays itself?
// Params: $id: id of the entity
// Rows: one: usd, transfers, unpriced (0 for nothing)
MATCH (e:Entity {id: $id})
MATCH (e)<-[:MEMBER]-(a:Address)
MATCH (a)-[f:FLOW]->(other:Address)
CALL (other) {
  MATCH (other)-[:MEMBER]->(own:Entity)
  RETURN collect(own.id) AS own
}
WITH f, own[0] AS own WHERE own IS NULL OR own <> $id
RETURN coalesce(sum(f.usd), 0) AS usd, coalesce(sum(f.tx_count), 0) AS transfers,
  coalesce(sum(f.unpriced_count), 0) AS unpriced
