// Question: which addresses are new? Creates them; fails with a conflict when another batch was faster.
// Params: one entry per address: $key (sorted), $chain, $address, $first_at, $last_at (epoch ms), and its counterparties in
// the batch: $degree_in (senders to it), $degree_out (receivers from it)
// Rows: none
UNWIND range(0, size($key) - 1) AS i
CREATE (:Address {
  key: $key[i], chain: $chain[i], address: $address[i], first_seen_at: $first_at[i], last_seen_at: $last_at[i],
  degree_in: $degree_in[i], degree_out: $degree_out[i]
})
