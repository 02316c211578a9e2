// Question: what are the roll-ups (FLOW) of these ordered pairs?
// Params: $pairs (list of [from key, to key])
// Rows: from, to, properties (of the FLOW)
// Part: pairs/flows
RETURN a.key AS from, b.key AS to, properties(f) AS properties
