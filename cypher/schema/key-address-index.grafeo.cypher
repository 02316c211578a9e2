// Question: whose key is known? As for the key of an address.
// Params: none
// Rows: none
CREATE INDEX key_address_index IF NOT EXISTS FOR (k:KeyAddress) ON (k.key)
