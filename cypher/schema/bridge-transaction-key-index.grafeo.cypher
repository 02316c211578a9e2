// Question: which transaction of a bridge has a key? As for the key of an address.
// Params: none
// Rows: none
CREATE INDEX bridge_transaction_key_index IF NOT EXISTS FOR (t:BridgeTransaction) ON (t.key)
