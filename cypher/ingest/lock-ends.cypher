// Question: what does the graph hold of these addresses? Nothing may change them before the transaction ends.
// Params: $key: keys of addresses, sorted
// Rows: key, first_seen_at, last_seen_at (null: no transfer so far), degree_in, degree_out
// Part: ingest/locked
RETURN a.key AS key, a.first_seen_at AS first_seen_at, a.last_seen_at AS last_seen_at,
  a.degree_in AS degree_in, a.degree_out AS degree_out
