// Question: which crossings begin or end at these addresses? Deletes them.
// Params: $key: keys of addresses
// Rows: deleted: how many, one row for each direction
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[b:BRIDGED]->(:Address)
DELETE b
RETURN count(b) AS deleted
UNION ALL
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)<-[b:BRIDGED]-(:Address)
DELETE b
RETURN count(b) AS deleted
