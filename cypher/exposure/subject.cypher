// Question: what does the graph hold of this address, and what is its priced money in and out?
// Params: $key (`chain:address`)
// Rows: one, or none where the address is unknown: scanned_at, scan_complete, transfers, unpriced_received,
//       unpriced_sent, received_usd, sent_usd (own transfers to itself left out)
MATCH (a:Address {key: $key})
OPTIONAL MATCH (payer:Address)-[i:FLOW]->(a)
WHERE payer.key <> $key
WITH a, sum(i.usd) AS received_usd, sum(i.tx_count) AS received, sum(i.unpriced_count) AS unpriced_received
OPTIONAL MATCH (a)-[o:FLOW]->(payee:Address)
WHERE payee.key <> $key
WITH a, received_usd, received, unpriced_received,
     sum(o.usd) AS sent_usd, sum(o.tx_count) AS sent, sum(o.unpriced_count) AS unpriced_sent
RETURN a.scanned_at AS scanned_at, a.scan_complete AS scan_complete, received + sent AS transfers,
       received_usd, sent_usd, unpriced_received, unpriced_sent
