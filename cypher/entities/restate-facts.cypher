// Question: did these payers spend together as one owner? Their transfers in these transactions say it; those of strangers have no change.
// Params: $key: keys of addresses, $joint: map from the transactions to whether they did
// Rows: none
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(:Address)
WITH t, $joint[t.tx_hash] AS joint
WHERE joint IS NOT NULL AND t.joint IS NOT NULL
SET t.joint = joint, t.change = CASE WHEN joint THEN t.change END
