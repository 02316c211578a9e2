// Question: which transfers of these transactions does the graph hold between these ordered pairs?
// Params: $pairs (list of [from key, to key]); $named: map from hash to true
// Rows: from, to, properties (of one transfer)
// Part: pairs/transfers
WITH a, b, t, $named[t.tx_hash] AS named WHERE named IS NOT NULL
RETURN a.key AS from, b.key AS to, properties(t) AS properties
