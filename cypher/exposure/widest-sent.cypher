// Question: to whom did this address send most, and in which priced transfers?
// Params: $key (`chain:address`), $limit (payees, largest sum first), $per_pair (transfers a payee, largest first)
// Rows: one per transfer: near, far (keys), pair_usd (sum of the pair), category, label of the far end, and the transfer
MATCH (a:Address {key: $key})
MATCH (a)-[f:FLOW]->(b:Address)
WHERE b.key <> $key AND f.usd > 0
WITH a, b, f
ORDER BY f.usd DESC, b.key
LIMIT $limit
CALL (a, b) {
  MATCH (a)-[t:TRANSFER]->(b)
  WHERE t.usd IS NOT NULL
  RETURN t
  ORDER BY t.usd DESC, t.id
  LIMIT $per_pair
}
RETURN a.key AS near, b.key AS far, f.usd AS pair_usd, b.category AS category, b.label AS label,
       t.id AS id, t.usd AS usd, t.tx_hash AS tx_hash, t.at AS at, t.block AS block, t.position AS position,
       t.seq AS seq, t.asset AS asset, t.amount AS amount
ORDER BY pair_usd DESC, far, at, id
