// Question: which members lose their entity? Disconnects them.
// Params: $key: keys of addresses
// Rows: none
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[m:MEMBER]->(:Entity)
DELETE m
