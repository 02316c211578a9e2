// Counts new counterparties of addresses that had been there.
// Parameters, one entry per address: $key, $degree_in (new senders to it), $degree_out (new receivers from it).
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
SET a.degree_in = a.degree_in + $degree_in[i], a.degree_out = a.degree_out + $degree_out[i]
