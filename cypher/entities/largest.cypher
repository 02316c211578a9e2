// Question: which members of entities moved the most money?
// Params: $id: ids of the entities, $limit
// Rows: key, usd (0: none with a price), largest first
UNWIND $id AS id
MATCH (e:Entity {id: id})
MATCH (e)<-[:MEMBER]-(a:Address)
OPTIONAL MATCH (a)-[f:FLOW]-(:Address)
WITH a.key AS key, coalesce(sum(f.usd), 0) AS usd
RETURN key, usd
ORDER BY usd DESC, key
LIMIT $limit
