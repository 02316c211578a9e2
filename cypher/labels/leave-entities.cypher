// Takes addresses away from the owner they had.
// Parameters: $key, keys of addresses.
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[b:BELONGS_TO]->(:Entity)
DELETE b
