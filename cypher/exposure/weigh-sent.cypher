// Question: how many transfers did these addresses send, and were they themselves scanned?
// Params: $keys (list of `chain:address`)
// Rows: key, transfers, unpriced (those of them without a price), scanned; none for an unknown address
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(:Address)
  RETURN sum(f.tx_count) AS transfers, sum(f.unpriced_count) AS unpriced
}
RETURN a.key AS key, coalesce(transfers, 0) AS transfers, coalesce(unpriced, 0) AS unpriced, a.scanned_at IS NOT NULL AS scanned
ORDER BY key
