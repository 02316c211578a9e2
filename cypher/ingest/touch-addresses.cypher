// Makes the ends of a batch of transfers exist, widens the time in which each was seen, and locks them all
// (in the order of the keys, so that two batches wait for each other and never deadlock).
// Parameters, one entry per address: $key sorted, $chain, $address, $first_at, $last_at (epoch ms).
// Rows: key, and with how many counterparties the address had dealt before: degree_in, degree_out.
UNWIND range(0, size($key) - 1) AS i
MERGE (a:Address {key: $key[i]})
ON CREATE SET a.chain = $chain[i], a.address = $address[i], a.degree_in = 0, a.degree_out = 0,
  a.first_seen_at = $first_at[i], a.last_seen_at = $last_at[i]
ON MATCH SET
  a.first_seen_at = CASE WHEN a.first_seen_at <= $first_at[i] THEN a.first_seen_at ELSE $first_at[i] END,
  a.last_seen_at = CASE WHEN a.last_seen_at >= $last_at[i] THEN a.last_seen_at ELSE $last_at[i] END
RETURN a.key AS key, a.degree_in AS degree_in, a.degree_out AS degree_out
