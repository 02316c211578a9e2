// Question: whose key is known? One node for each address that the key holds.
// Params: none
// Rows: none
CREATE CONSTRAINT key_address IF NOT EXISTS FOR (k:KeyAddress) REQUIRE k.key IS UNIQUE
