// Question: how much of the history of these addresses was read?
// Params: $keys (list of `chain:address`)
// Rows: one per known address: key, read (whole, part or none)
UNWIND $keys AS key
MATCH (b:Address {key: key})
RETURN b.key AS key, CASE WHEN b.scan_complete THEN 'whole' WHEN b.scanned_at IS NOT NULL OR size(coalesce(b.read_lists, [])) > 0 THEN 'part' ELSE 'none' END AS read
