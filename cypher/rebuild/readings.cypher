// Question: what did transactions of bridges state, a page at a time in the order of their keys?
// Params: $after: the last key of the page before, or an empty text; $limit
// Rows: key, read_at, readings (as JSON)
MATCH (t:BridgeTransaction) WHERE t.key > $after AND t.readings IS NOT NULL
RETURN t.key AS key, t.read_at AS read_at, t.readings AS readings
ORDER BY key
LIMIT $limit
