// Question: which transfers does the graph hold between these ordered pairs?
// Params: $pairs (list of [from key, to key])
// Rows: from, to, properties (of one transfer)
// Part: pairs/transfers
RETURN a.key AS from, b.key AS to, properties(t) AS properties
