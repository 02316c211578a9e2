// Widens the time in which addresses were seen, and locks them in the order of their keys, so that two batches with
// common addresses come one after the other and never wait for each other in a ring.
// Parameters, one entry per address: $key sorted, $first_at, $last_at (epoch ms).
// Rows: key, degree_in, degree_out (counterparties so far).
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
SET a.first_seen_at = CASE WHEN a.first_seen_at <= $first_at[i] THEN a.first_seen_at ELSE $first_at[i] END,
  a.last_seen_at = CASE WHEN a.last_seen_at >= $last_at[i] THEN a.last_seen_at ELSE $last_at[i] END
RETURN a.key AS key, a.degree_in AS degree_in, a.degree_out AS degree_out
