// Question: whom did this address pay most, and in which priced transfers?
// Params: $key (`chain:address`), $limit (payees, largest sum first), $transfers (most rows, the widest pairs first)
// Rows: one per transfer, a list: key, category and label of the payee, id, index, seq, at, block, position, usd, asset,
//       amount
MATCH (a:Address {key: $key})
MATCH (a)-[f:FLOW]->(b:Address)
WHERE f.usd > 0
WITH a, b, f.usd AS pair_usd
ORDER BY pair_usd DESC, b.key
LIMIT $limit
MATCH (a)-[t:TRANSFER]->(b)
WHERE t.usd > 0
RETURN [b.key, b.category, b.label, t.id, t.index, t.seq, t.at, t.block, t.position, t.usd,
        t.asset, t.amount] AS transfer
ORDER BY pair_usd DESC, b.key, t.at, t.id
LIMIT $transfers
