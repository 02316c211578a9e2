// Question: from whom did this busy address receive most (or whom did it pay most), and in which transfers? Labelled ones come first
// Params: $key (`chain:address`), $received (false: whom it paid), $transfers (most rows), $stops (categories at which tracing stops)
// Rows: one per transfer: tx_total, usd_total, unpriced_total (all its transfers with others on that side), transfer: a list as in open
MATCH (a:Address {key: $key})
CALL (a) {
  WITH a WHERE $received
  MATCH (a)<-[f:FLOW]-(b:Address)
  RETURN b, f
  UNION ALL
  WITH a WHERE NOT $received
  MATCH (a)-[f:FLOW]->(b:Address)
  RETURN b, f
}
WITH a, b, f, f.usd AS pair_usd, coalesce(b.category, '') IN $stops AS labelled
WITH a, collect([b, pair_usd, labelled]) AS pairs, sum(f.tx_count) AS tx_total,
     sum(pair_usd) AS usd_total, sum(f.unpriced_count) AS unpriced_total
UNWIND pairs AS pair
WITH a, tx_total, usd_total, unpriced_total, pair[0] AS b, pair[1] AS pair_usd, pair[2] AS labelled
ORDER BY labelled DESC, pair_usd DESC, b.key
LIMIT $transfers
CALL (a, b) {
  WITH a, b WHERE $received
  MATCH (a)<-[t:TRANSFER]-(b)
  RETURN t, CASE WHEN t.fee_share IS NULL AND coalesce(t.fee_payer, t.tx_sender) = a.address THEN t.fee END AS fee_paid
  UNION ALL
  WITH a, b WHERE NOT $received
  MATCH (a)-[t:TRANSFER]->(b)
  RETURN t, coalesce(t.fee_share, CASE WHEN coalesce(t.fee_payer, t.tx_sender) = a.address THEN t.fee END) AS fee_paid
}
RETURN tx_total, usd_total, unpriced_total,
       [b.key, b.category, b.label, b.is_contract, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position, t.usd, t.asset, t.amount,
        t.token, t.token_id, t.destination_tag, t.source_tag, fee_paid, t.tx_sender] AS transfer
ORDER BY labelled DESC, pair_usd DESC, b.key, t.at, t.id
LIMIT $transfers
