// Question: which addresses are members of entities?
// Params: $id: ids of the entities, $after: key, from which on they are left out until now ('': none), $limit
// Rows: key, in the order of the keys
UNWIND $id AS id
MATCH (e:Entity {id: id})
MATCH (e)<-[:MEMBER]-(a:Address)
WHERE a.key > $after
RETURN a.key AS key
ORDER BY key
LIMIT $limit
