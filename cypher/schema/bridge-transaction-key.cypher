// Question: which transaction of a bridge has a key? As for the key of an address.
// Params: none
// Rows: none
CREATE CONSTRAINT bridge_transaction_key IF NOT EXISTS FOR (t:BridgeTransaction) REQUIRE t.key IS UNIQUE
