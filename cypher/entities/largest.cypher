// Question: which members of an entity moved the most money?
// Params: $id: id of the entity, $limit
// Rows: key, usd (0: none with a price), largest first
MATCH (e:Entity {id: $id})
MATCH (a:Address)-[:MEMBER]->(e)
OPTIONAL MATCH (a)-[f:FLOW]-(:Address)
WITH a.key AS key, coalesce(sum(f.usd), 0) AS usd
RETURN key, usd
ORDER BY usd DESC, key
LIMIT $limit
