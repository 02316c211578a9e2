// Question: what are the counterparties of this address, by direction, most valuable first?
// Params: $key (`chain:address`), $limit (dealings, both directions together)
// Rows: far (key), direction (`sent` from the address, `received` by it), category and label of the far
//       end, and the roll-up
MATCH (a:Address {key: $key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(c:Address)
  RETURN c, f, 'sent' AS direction
  UNION ALL
  MATCH (a)<-[f:FLOW]-(c:Address)
  RETURN c, f, 'received' AS direction
}
WITH a, c, f, direction
WHERE c.key <> a.key
RETURN c.key AS far, direction, c.category AS category, c.label AS label,
       CASE WHEN f.unpriced_count < f.tx_count THEN f.usd END AS usd, f.tx_count AS tx_count, f.first_at AS first_at, f.last_at AS last_at
ORDER BY f.usd DESC, far, direction
LIMIT $limit
