// Question: which of these addresses paid together in one transaction, elsewhere than in a CoinJoin?
// Params: $keys (`bitcoin:address`), $most (transfers of an address that are looked at: one with more is left out)
// Rows: one per transaction that two or more of them paid together: keys
UNWIND $keys AS key
MATCH (a:Address {key: key})
WHERE coalesce(a.degree_out, 0) <= $most
MATCH (a)-[t:TRANSFER]->(:Address)
WHERE t.apportioned
WITH t.tx_hash AS tx_hash, collect(DISTINCT a.key) AS keys
WHERE size(keys) > 1
RETURN keys
