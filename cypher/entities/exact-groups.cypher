// Question: by which keys and listed owners do the members of an entity belong together?
// Params: $id: id of the entity
// Rows: one for each combination: key_id, listed (null: none)
MATCH (e:Entity {id: $id})
MATCH (e)<-[m:MEMBER]-(a:Address)
RETURN DISTINCT m.key_id AS key_id, a.entity_id AS listed
