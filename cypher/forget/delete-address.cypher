// Question: delete an address, and what still leads to it.
// Params: $key
// Rows: none
MATCH (a:Address {key: $key})
DETACH DELETE a
