// Question: delete the roll-up (FLOW) of ordered pairs that have no transfer left.
// Params: $pairs (list of [from key, to key])
// Rows: deleted: number of pairs
// Part: pairs/flows
DELETE f
RETURN count(f) AS deleted
