// Question: which of these addresses pay in which of these transactions?
// Params: $key: keys of addresses, $txs: map from the transactions to true
// Rows: key, tx_hash
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(:Address)
WHERE $txs[t.tx_hash] IS NOT NULL
RETURN DISTINCT a.key AS key, t.tx_hash AS tx_hash
