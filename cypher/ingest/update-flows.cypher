// Question: replace the roll-up (FLOW) of ordered pairs whose transfers changed.
// Params: $pairs (list of [from key, to key]), $flow (map from `<from key> <to key>` to the properties of the FLOW)
// Rows: updated: number of pairs
// Part: pairs/flows
WITH f, $flow[pair[0] + ' ' + pair[1]] AS flow
SET f = flow
RETURN count(f) AS updated
