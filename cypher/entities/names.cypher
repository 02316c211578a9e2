// Question: what do labels call the members of an entity?
// Params: $id: id of the entity, $most (rows)
// Rows: owner (by lists, null: not named), label, category (null: unknown), members: how many are called so, the most first
MATCH (e:Entity {id: $id})
MATCH (a:Address)-[:MEMBER]->(e)
WHERE a.label IS NOT NULL
RETURN a.entity_id AS owner, a.label AS label, a.category AS category, count(a) AS members
ORDER BY members DESC, label, owner, category
LIMIT $most
