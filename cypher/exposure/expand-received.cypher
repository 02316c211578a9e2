// Question: in which priced transfers did these addresses receive from others, and were they themselves scanned?
// Params: $keys (list of `chain:address`), $hub (an address with so many payers or transfers is a hub: nothing is listed)
// Rows: one per known address: key, scanned, hub, tx_count, priced_count (of a hub not to the end), transfers: in no order
//       one list for each: key, category and label of the payer, id, index, seq, at, block, position, usd, asset, amount
UNWIND $keys AS key
MATCH (a:Address {key: key})
WITH a, coalesce(a.degree_in, 0) >= $hub AS busy
CALL (a, busy) {
  WITH a, busy
  WHERE NOT busy
  MATCH (a)<-[t:TRANSFER]-(b:Address)
  WHERE b.key <> a.key
  // Where this cuts, whatever it leaves is thrown away.
  WITH b, t
  LIMIT $hub
  RETURN count(t) AS tx_count, count(t.usd) AS priced_count,
         collect(CASE WHEN t.usd > 0 THEN [b.key, b.category, b.label, t.id, t.index, t.seq, t.at, t.block, t.position,
                                           t.usd, t.asset, t.amount] END) AS transfers
}
WITH a, tx_count, priced_count, transfers, busy OR tx_count >= $hub AS hub
RETURN a.key AS key, a.scanned_at IS NOT NULL AS scanned, hub, tx_count, priced_count,
       CASE WHEN hub THEN [] ELSE transfers END AS transfers
