// Question: when were known addresses seen, and how many counterparties have they now?
// Params: one entry per address: $key, $changed (map of the properties that differ: each one that is set costs as much as
// four that are created)
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
SET a += $changed[i]
