// Question: which transfers between known addresses are new? Creates them.
// Params: one entry per transfer: $from, $to (keys) and each property of a TRANSFER (null: unknown, not stored)
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
