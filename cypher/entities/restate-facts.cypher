// Question: did the payers of these transactions spend together as one owner? What these addresses send or receive in them says it.
// Params: $ends: list of [key, `sent` or `received`]; $joint: map from the transactions to whether they did
// Rows: none
// Part: entities/facts-beside
WITH t, $joint[t.tx_hash] AS joint
WHERE joint IS NOT NULL AND t.joint IS NOT NULL
SET t.joint = joint
