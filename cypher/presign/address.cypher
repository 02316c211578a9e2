// Question: does the graph know this address?
// Params: $key (`chain:address`)
// Rows: one, or none where it does not: the first and the last moment of its transfers
MATCH (a:Address {key: $key})
RETURN a.first_seen_at AS first_seen_at, a.last_seen_at AS last_seen_at
