// Question: to whom did this address send most, and in which priced transfers?
// Params: $key (`chain:address`), $limit (payees, largest sum first), $transfers (most rows, the widest pairs first)
// Rows: one per transfer: near, far (keys), pair_usd (sum of the pair), category and label of the far end, and the transfer
MATCH (a:Address {key: $key})
MATCH (a)-[f:FLOW]->(b:Address)
WHERE f.usd > 0
WITH a, b, f
ORDER BY f.usd DESC, b.key
LIMIT $limit
MATCH (a)-[t:TRANSFER]->(b)
WHERE t.usd > 0
RETURN a.key AS near, b.key AS far, f.usd AS pair_usd, b.category AS category, b.label AS label,
       t.id AS id, t.tx_hash AS tx_hash, t.index AS index, t.seq AS seq, t.at AS at, t.block AS block, t.position AS position,
       t.usd AS usd, t.asset AS asset, t.amount AS amount
ORDER BY pair_usd DESC, far, at, id
LIMIT $transfers
