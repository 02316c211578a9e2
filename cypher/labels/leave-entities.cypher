// Question: which addresses lose their owner? Disconnects them.
// Params: $key: keys of addresses
// Rows: none
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[b:BELONGS_TO]->(:Entity)
DELETE b
