// Question: who spent in these transactions, where several spent together as one owner and paid these addresses?
// Params: $key: keys of paid addresses, $txs: map from the transactions to true
// Rows: key (of a payer), tx_hash
UNWIND $key AS key
MATCH (b:Address {key: key})
MATCH (a:Address)-[t:TRANSFER]->(b)
WHERE t.joint AND $txs[t.tx_hash] IS NOT NULL
RETURN DISTINCT a.key AS key, t.tx_hash AS tx_hash
