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
CALL (c) {
  MATCH (c)-[:MEMBER]->(e:Entity)
  RETURN collect([e.id, e.name, e.size, e.several_services]) AS held
}
WITH a, c, f, direction, held[0] AS e
WHERE e IS NULL OR e[0] <> $id
RETURN a.key AS near, c.key AS far, direction, c.category AS category, c.label AS label, e[0] AS entity_id,
  e[1] AS entity_name, e[2] AS entity_size, e[3] AS several_services, f.usd AS usd,
  f.tx_count AS tx_count, f.unpriced_count AS unpriced_count, f.first_at AS first_at, f.last_at AS last_at
ORDER BY usd DESC, far, near, direction
LIMIT $limit
