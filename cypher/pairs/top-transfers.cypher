// Question: which transfer of each of these ordered pairs is worth most, or the earliest where none is priced?
// Params: $pairs (list of [from key, to key])
// Rows: from, to, tx_hash
// Part: pairs/transfers
WITH a, b, t
ORDER BY coalesce(t.usd, -1.0) DESC, t.at, t.id
WITH a, b, collect(t.tx_hash) AS hashes
RETURN a.key AS from, b.key AS to, hashes[0] AS tx_hash
