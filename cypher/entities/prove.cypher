// Question: which memberships have a surer or earlier proof? Replaces what is stored.
// Params: one entry per address: $key, $key_id, $tx_hash, $at; of them all $basis, $confidence (null: unknown)
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
MATCH (a)-[m:MEMBER]->(:Entity)
SET m.basis = $basis, m.key_id = $key_id[i], m.tx_hash = $tx_hash[i], m.at = $at[i], m.confidence = $confidence
