// Question: which addresses are members of an entity?
// Params: $id: id of the entity, $after: key, from which on they are left out until now ('': none), $limit
// Rows: key, in the order of the keys
MATCH (e:Entity {id: $id})
MATCH (a:Address)-[:MEMBER]->(e)
WHERE a.key > $after
RETURN a.key AS key
ORDER BY key
LIMIT $limit
