// Question: which transactions state messages of bridges? Makes those that are new; nothing may change them before the
// transaction ends.
// Params: $key (`chain:tx_hash`, sorted), $chain, $tx_hash: one entry for each of them
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MERGE (t:BridgeTransaction {key: $key[i]})
SET t.chain = $chain[i], t.tx_hash = $tx_hash[i]
