// Counts new counterparties.
// Parameters, one entry per address: $key, $new_in (new senders to it), $new_out (new receivers from it).
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
SET a.degree_in = a.degree_in + $new_in[i], a.degree_out = a.degree_out + $new_out[i]
