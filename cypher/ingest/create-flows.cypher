// Question: what is the roll-up of ordered pairs that had no transfer before? Creates it.
// Params: one entry per pair: $from, $to (keys), $usd, $tx_count, $unpriced_count, $first_at, $last_at, $has_coin
// Rows: none
UNWIND range(0, size($from) - 1) AS i
MATCH (a:Address {key: $from[i]})
MATCH (b:Address {key: $to[i]})
CREATE (a)-[:FLOW {
  usd: toFloat($usd[i]), tx_count: $tx_count[i], unpriced_count: $unpriced_count[i],
  first_at: $first_at[i], last_at: $last_at[i], has_coin: $has_coin[i]
}]->(b)
