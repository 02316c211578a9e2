// Question: with whom do addresses that are one party deal, most valuable first, without what they pay each other?
// Params: $key: keys of the addresses, $id: id of their entity ('': none), $limit
// Rows: near and far (keys), direction (`sent` by the party, `received` by it), category and label of the far end, its entity
// (entity_id, entity_name, entity_size, several_services; null: none), and the roll-up
UNWIND $key AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(c:Address)
  RETURN c, f, 'sent' AS direction
  UNION ALL
  MATCH (a)<-[f:FLOW]-(c:Address)
  RETURN c, f, 'received' AS direction
}
OPTIONAL MATCH (c)-[:MEMBER]->(e:Entity)
WITH a, c, f, direction, e
WHERE e.id IS NULL OR e.id <> $id
RETURN a.key AS near, c.key AS far, direction, c.category AS category, c.label AS label, e.id AS entity_id,
  e.name AS entity_name, e.size AS entity_size, e.several_services AS several_services, f.usd AS usd,
  f.tx_count AS tx_count, f.unpriced_count AS unpriced_count, f.first_at AS first_at, f.last_at AS last_at
ORDER BY usd DESC, far, near, direction
LIMIT $limit
