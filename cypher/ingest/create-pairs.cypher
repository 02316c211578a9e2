// Question: which ordered pairs of different addresses get their first and only transfer? Creates it with its roll-up.
// Params: as for create-transfers, one entry per pair, and of its roll-up $flow_usd ($usd in whole micro-
// dollars; 0: without a price) and $has_coin
// Rows: none
UNWIND range(0, size($id) - 1) AS i
MATCH (a:Address {key: $from[i]})
MATCH (b:Address {key: $to[i]})
CREATE (a)-[:TRANSFER {
  id: $id[i], tx_hash: $tx_hash[i], index: $index[i], seq: $seq[i],
  block: $block[i], block_hash: $block_hash[i], position: $position[i], at: $at[i],
  asset: $asset[i], token: $token[i], amount: $amount[i], amount_raw: $amount_raw[i], decimals: $decimals[i],
  usd: toFloat($usd[i]), kind: $kind[i], asset_type: $asset_type[i], apportioned: $apportioned[i], joint: $joint[i],
  change: $change[i],
  tx_sender: $tx_sender[i], method: $method[i],
  fee: $fee[i], fee_payer: $fee_payer[i], fee_share: $fee_share[i], token_id: $token_id[i],
  destination_tag: $destination_tag[i], source_tag: $source_tag[i],
  source: $source[i], read_at: $read_at[i]
}]->(b)
CREATE (a)-[:FLOW {
  usd: toFloat($flow_usd[i]), tx_count: 1, unpriced_count: CASE WHEN $usd[i] IS NULL THEN 1 ELSE 0 END,
  first_at: $at[i], last_at: $at[i], has_coin: $has_coin[i]
}]->(b)
