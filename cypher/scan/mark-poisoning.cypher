// Question: which addresses were used for address poisoning?
// Params: $keys (list of `chain:address`)
// Rows: key of each address that was not known for it before
UNWIND $keys AS key
MATCH (a:Address {key: key})
WHERE NOT coalesce(a.is_bait, false)
SET a.is_bait = true
RETURN a.key AS key
