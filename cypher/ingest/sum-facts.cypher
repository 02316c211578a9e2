// Question: what do all transfers of each of these ordered pairs add up to? One row instead of thousands.
// Params: $pairs (list of [from key, to key]), $coin (symbol of the chain's own coin)
// Rows: from, to, tx_count, first_at, last_at, coins (transfers of the coin), usd (of each priced transfer, in no order)
// Part: pairs/transfers
RETURN a.key AS from, b.key AS to, count(t) AS tx_count, min(t.at) AS first_at, max(t.at) AS last_at,
  sum(CASE WHEN t.token IS NULL AND t.asset = $coin THEN 1 ELSE 0 END) AS coins, collect(t.usd) AS usd
