// Question: delete some of the transfers between these ordered pairs.
// Params: $pairs (list of [from key, to key]), $gone (map from `<from key> <to key> <transfer id>` to true)
// Rows: deleted: number of transfers
// Part: pairs/transfers
WITH t, $gone[pair[0] + ' ' + pair[1] + ' ' + t.id] AS gone WHERE gone IS NOT NULL
DELETE t
RETURN count(t) AS deleted
