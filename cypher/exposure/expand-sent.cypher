// Question: which priced transfers did these addresses send?
// Params: $keys (list of `chain:address`), $hub (most transfers an address may have sent to be opened)
// Rows: one per transfer: near, far (keys), category, label of the far end, and the transfer;
//       an address beyond $hub gives one row with `far` null and `hub` true
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(payee:Address)
  RETURN sum(f.tx_count) AS sent, sum(f.unpriced_count) AS unpriced
}
OPTIONAL MATCH (a)-[t:TRANSFER]->(b:Address)
WHERE sent <= $hub AND t.usd IS NOT NULL AND b.key <> a.key
RETURN a.key AS near, sent > $hub AS hub, unpriced, b.key AS far, b.category AS category, b.label AS label,
       t.id AS id, t.usd AS usd, t.tx_hash AS tx_hash, t.at AS at, t.block AS block, t.position AS position,
       t.seq AS seq, t.asset AS asset, t.amount AS amount
ORDER BY near, at, id
