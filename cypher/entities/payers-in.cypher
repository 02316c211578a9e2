// Question: who pays in these transactions, by one of these ordered pairs?
// Params: $pairs (list of [from key, to key]), $txs: map from the transactions to true
// Rows: key, tx_hash
// Part: pairs/transfers
WITH a, t WHERE $txs[t.tx_hash] IS NOT NULL
RETURN DISTINCT a.key AS key, t.tx_hash AS tx_hash
