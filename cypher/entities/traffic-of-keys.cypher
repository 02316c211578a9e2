// Question: what do others pay to addresses that are one party, and these to others, without what they pay each other?
// Params: $key: keys of addresses, $own: map from the same keys to true
// Rows: one for each direction with payments (`sent`, `received`): direction, usd, transfers, unpriced
UNWIND $key AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(c:Address)
  RETURN c, f, 'sent' AS direction
  UNION ALL
  MATCH (a)<-[f:FLOW]-(c:Address)
  RETURN c, f, 'received' AS direction
}
WITH f, direction, $own[c.key] AS own WHERE own IS NULL
RETURN direction, coalesce(sum(f.usd), 0) AS usd, sum(f.tx_count) AS transfers, sum(f.unpriced_count) AS unpriced
ORDER BY direction
