// Question: which addresses does money cross a bridge from or to? Makes those that are new; nothing may change them before
// the transaction ends.
// Params: $key (sorted), $chain, $address: one entry for each address
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MERGE (a:Address {key: $key[i]})
ON CREATE SET a.chain = $chain[i], a.address = $address[i], a.degree_in = 0, a.degree_out = 0
SET a.has_bridges = true
