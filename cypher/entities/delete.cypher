// Question: which entities without members are deleted?
// Params: $id: ids of entities
// Rows: none
UNWIND $id AS id
MATCH (e:Entity {id: id})
DELETE e
