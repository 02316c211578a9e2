// Question: who pays in these transactions, by what these addresses send or receive?
// Params: $ends: list of [key, `sent` or `received`]; $txs: map from the transactions to true
// Rows: key, tx_hash
// Part: entities/facts-beside
WITH payer, t, $txs[t.tx_hash] AS asked WHERE asked IS NOT NULL
RETURN DISTINCT payer.key AS key, t.tx_hash AS tx_hash
