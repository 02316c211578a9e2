// Question: what did the newest reading of these transactions state? Replaces what was known.
// Params: $key (`chain:tx_hash`), $read_at, $readings (as JSON): one entry for each of them
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MATCH (t:BridgeTransaction {key: $key[i]})
SET t.read_at = $read_at[i], t.readings = $readings[i]
