// Question: which of these payers were held to have spent together with others in transactions in which strangers did? No more.
// Params: $key: keys of addresses, $txs: map from the transactions to true
// Rows: key, once or more
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(:Address)
WHERE t.joint AND $txs[t.tx_hash] IS NOT NULL
SET t.joint = false
REMOVE t.change, t.joint_by
RETURN a.key AS key
