// Question: which crossings that end at this address are replaced? Deletes them.
// Params: $key, $ids: of the crossings
// Rows: deleted: how many
MATCH (a:Address {key: $key})
MATCH (a)<-[b:BRIDGED]-(:Address)
WHERE b.id IN $ids
DELETE b
RETURN count(b) AS deleted
