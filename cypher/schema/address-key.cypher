// Question: which node has a key? One per chain and address, however many scans run at once.
// Params: none
// Rows: none
CREATE CONSTRAINT address_key IF NOT EXISTS FOR (a:Address) REQUIRE a.key IS UNIQUE
