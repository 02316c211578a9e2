// Question: what was read of this address? Nothing may change it before the transaction ends
// Params: $key (`chain:address`)
// Rows: one, or none where the address is unknown: read_lists, read_from, read_to, read_sources, read_at (parallel lists,
//       null where nothing was read)
MATCH (a:Address {key: $key})
RETURN a.read_lists AS read_lists, a.read_from AS read_from, a.read_to AS read_to,
       a.read_sources AS read_sources, a.read_at AS read_at
