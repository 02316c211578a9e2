// Question: which address stands for those that lists gave to an owner before?
// Params: $owner: ids of owners; $joined: map from the keys of the addresses that are new there to true
// Rows: owner, first (the smallest key)
UNWIND $owner AS owner
MATCH (e:Entity {id: owner})
MATCH (e)<-[:BELONGS_TO]-(a:Address)
WITH owner, a.key AS key, $joined[a.key] AS joined WHERE joined IS NULL
RETURN owner, min(key) AS first
