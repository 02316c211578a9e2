// Question: which known transfers get properties that were unknown: a price, a position, a fee?
// Params: $pairs (list of [from key, to key]), $known (map from transfer id to the properties to add)
// Rows: added: number of transfers
// Part: pairs/transfers
WITH t, $known[t.id] AS known WHERE known IS NOT NULL
SET t += known
RETURN count(t) AS added
