// Question: which other members of the entity of an address have its key, or its owner by lists?
// Params: $key: key of the address, $limit
// Rows: key, in the order of the keys
MATCH (a:Address {key: $key})
MATCH (a)-[m:MEMBER]->(e:Entity)
WITH e, m.key_id AS key_id, CASE WHEN a.label_sure = true THEN a.entity_id END AS listed
MATCH (e)<-[n:MEMBER]-(b:Address)
WHERE b.key <> $key AND (n.key_id = key_id OR (b.entity_id = listed AND b.label_sure = true))
RETURN b.key AS key
ORDER BY key
LIMIT $limit
