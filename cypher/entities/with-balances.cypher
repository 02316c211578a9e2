// Question: of which members of an entity did the chain itself state a balance?
// Params: $id: id of the entity, $limit
// Rows: key, in the order of the keys
MATCH (e:Entity {id: $id})
MATCH (e)<-[:MEMBER]-(a:Address)
WHERE a.balance_assets IS NOT NULL
RETURN a.key AS key
ORDER BY key
LIMIT $limit
