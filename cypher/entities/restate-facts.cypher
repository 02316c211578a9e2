// Question: did the payers of these transactions spend together as one owner? Their transfers between these ordered pairs say it.
// Params: $pairs (list of [from key, to key]), $joint: map from the transactions to whether they did
// Rows: none
// Part: pairs/transfers
WITH t, $joint[t.tx_hash] AS joint
WHERE joint IS NOT NULL AND t.joint IS NOT NULL
SET t.joint = joint
