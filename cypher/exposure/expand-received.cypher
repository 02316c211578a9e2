// Question: which priced transfers did these addresses receive, those with themselves left out?
// Params: $keys (list of `chain:address`)
// Rows: one per transfer: near, far (keys), category and label of the far end, and the transfer
UNWIND $keys AS key
MATCH (a:Address {key: key})
MATCH (a)<-[t:TRANSFER]-(b:Address)
WHERE t.usd > 0 AND b.key <> key
RETURN a.key AS near, b.key AS far, b.category AS category, b.label AS label,
       t.id AS id, t.tx_hash AS tx_hash, t.index AS index, t.seq AS seq, t.at AS at, t.block AS block, t.position AS position,
       t.usd AS usd, t.asset AS asset, t.amount AS amount
ORDER BY near, at, id
