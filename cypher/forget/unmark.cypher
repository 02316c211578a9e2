// Question: which addresses count as never read, because transfers of theirs were deleted?
// Params: $key: keys of addresses
// Rows: none
UNWIND $key AS key
MATCH (a:Address {key: key})
REMOVE a.scanned_at, a.scan_complete, a.read_lists, a.read_from, a.read_to, a.read_sources, a.read_at,
       a.balance_assets, a.balance_at, a.balance_amounts, a:Scanned
