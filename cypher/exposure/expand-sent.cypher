// Question: in which priced transfers did these addresses pay others, and were they themselves scanned?
// Params: $keys (list of `chain:address`), $hub (nothing is listed of an address with more payees or transfers)
// Rows: one per known address: key, scanned, hub, tx_count, unpriced_count (of a hub perhaps not counted), transfers:
//       in time order one list for each: key, category and label of the payee, id, tx_hash, index, seq, at, block, position,
//       usd, asset, amount
UNWIND $keys AS key
MATCH (a:Address {key: key})
WITH a, coalesce(a.degree_out, 0) > $hub AS busy
CALL (a, busy) {
  WITH a, busy
  WHERE NOT busy
  MATCH (a)-[f:FLOW]->(:Address)
  RETURN coalesce(sum(f.tx_count), 0) AS tx_count, coalesce(sum(f.unpriced_count), 0) AS unpriced_count
}
WITH a, tx_count, unpriced_count, busy OR tx_count > $hub AS hub
CALL (a, hub) {
  WITH a, hub
  WHERE NOT hub
  MATCH (a)-[t:TRANSFER]->(b:Address)
  WHERE t.usd > 0 AND b.key <> a.key
  WITH b, t
  ORDER BY t.at, t.id
  RETURN collect([b.key, b.category, b.label, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position,
                  t.usd, t.asset, t.amount]) AS transfers
}
RETURN a.key AS key, a.scanned_at IS NOT NULL AS scanned, hub, tx_count, unpriced_count, transfers
ORDER BY key
