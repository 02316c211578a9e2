// Question: which entities lose all their members? Disconnects them.
// Params: $id: ids of entities
// Rows: none
UNWIND $id AS id
MATCH (:Address)-[m:MEMBER]->(:Entity {id: id})
DELETE m
