// Question: what does the graph hold of this address, and what is its priced money in and out?
// Params: $key (`chain:address`)
// Rows: one, or none where the address is unknown: category, scanned_at, scan_complete, transfers, unpriced_received,
//       unpriced_sent, received_usd, sent_usd (transfers to itself left out)
MATCH (a:Address {key: $key})
CALL (a) {
  MATCH (a)<-[f:FLOW]-(:Address)
  RETURN sum(f.usd) AS received_usd, sum(f.tx_count) AS received, sum(f.unpriced_count) AS unpriced_received
}
CALL (a) {
  MATCH (a)-[f:FLOW]->(:Address)
  RETURN sum(f.usd) AS sent_usd, sum(f.tx_count) AS sent, sum(f.unpriced_count) AS unpriced_sent
}
RETURN a.category AS category, a.scanned_at AS scanned_at, a.scan_complete AS scan_complete,
       coalesce(received, 0) + coalesce(sent, 0) AS transfers,
       coalesce(received_usd, 0.0) AS received_usd, coalesce(sent_usd, 0.0) AS sent_usd,
       coalesce(unpriced_received, 0) AS unpriced_received, coalesce(unpriced_sent, 0) AS unpriced_sent
