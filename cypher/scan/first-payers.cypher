// Question: who paid each of these addresses first, where its own history was read in full?
// Params: $keys (list of `chain:address`)
// Rows: key, payer (address)
UNWIND $keys AS key
MATCH (p:Address)-[f:FLOW]->(a:Address {key: key})
WHERE a.scan_complete = true
WITH a, min(f.first_at) AS earliest
MATCH (p:Address)-[f:FLOW]->(a)
WHERE f.first_at = earliest
RETURN a.key AS key, p.address AS payer
ORDER BY key, payer
