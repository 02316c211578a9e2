// Question: what has this address moved on each of its chains, as far as the graph knows?
// Params: $keys (list of `chain:address`)
// Rows: one for each key with a transfer: key, transfers, first_at, last_at
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(:Address)
  RETURN f
  UNION ALL
  MATCH (a)<-[f:FLOW]-(:Address)
  RETURN f
}
RETURN key, sum(f.tx_count) AS transfers, min(f.first_at) AS first_at, max(f.last_at) AS last_at
ORDER BY key
