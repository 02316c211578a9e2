// Question: which addresses are members of these entities?
// Params: $id: ids of entities
// Rows: key
UNWIND $id AS id
MATCH (e:Entity {id: id})
MATCH (a:Address)-[:MEMBER]->(e)
RETURN a.key AS key
