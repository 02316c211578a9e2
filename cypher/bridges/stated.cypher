// Question: which crossings from or to these addresses name one of these transactions?
// Params: $keys (`chain:address`), $txs: map from hash to true
// Rows: from, to (keys), source and destination (what each side states, as JSON; null: not known); a crossing between two of
//       the addresses twice
UNWIND $keys AS key
MATCH (a:Address {key: key})
MATCH (a)-[b:BRIDGED]->(o:Address)
WITH a, b, o, $txs[b.tx_out] AS sent, $txs[b.tx_in] AS arrived WHERE sent IS NOT NULL OR arrived IS NOT NULL
RETURN a.key AS from, o.key AS to, b.source AS source, b.destination AS destination
UNION ALL
UNWIND $keys AS key
MATCH (a:Address {key: key})
MATCH (a)<-[b:BRIDGED]-(o:Address)
WITH a, b, o, $txs[b.tx_out] AS sent, $txs[b.tx_in] AS arrived WHERE sent IS NOT NULL OR arrived IS NOT NULL
RETURN o.key AS from, a.key AS to, b.source AS source, b.destination AS destination
