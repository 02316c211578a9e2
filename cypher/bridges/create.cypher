// Question: which crossings are new between known addresses? Creates them.
// Params: one entry for each crossing: $from, $to (keys) and each property of a BRIDGED (null: unknown, not
// stored), `match` as $matched_by
// Rows: none
UNWIND range(0, size($id) - 1) AS i
MATCH (a:Address {key: $from[i]})
MATCH (b:Address {key: $to[i]})
CREATE (a)-[:BRIDGED {
  id: $id[i], protocol: $protocol[i], message_id: $message_id[i], `match`: $matched_by[i], status: $status[i],
  reason: $reason[i], ambiguous: $ambiguous[i], chain_out: $chain_out[i], chain_in: $chain_in[i], sender: $sender[i],
  recipient: $recipient[i], tx_out: $tx_out[i], at: $at[i], asset_out: $asset_out[i], amount_out: $amount_out[i],
  tx_in: $tx_in[i], at_in: $at_in[i], asset_in: $asset_in[i], amount_in: $amount_in[i], usd: toFloat($usd[i]),
  looked_up_at: $looked_up_at[i], source: $source[i], destination: $destination[i]
}]->(b)
