// Question: what did the newest reading of these transactions state about bridges?
// Params: $key (`chain:tx_hash`)
// Rows: read_at, readings (JSON: a list of messages for each reading of that moment); null for one that was only made
UNWIND $key AS key
MATCH (t:BridgeTransaction {key: key})
RETURN t.read_at AS read_at, t.readings AS readings
