// Question: which members of an entity do labels call adverse?
// Params: $id: id of the entity, $adverse: categories, $limit
// Rows: key, in the order of the keys
MATCH (e:Entity {id: $id})
MATCH (e)<-[:MEMBER]-(a:Address)
WHERE a.category IN $adverse
RETURN a.key AS key
ORDER BY key
LIMIT $limit
