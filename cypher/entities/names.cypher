// Question: what do labels call the members of entities?
// Params: $id: ids of the entities
// Rows: id (of the entity), owner (by lists, null: not named), label, category, sure (its list is sure of it; null: unknown),
// members: how many are called so
UNWIND $id AS id
MATCH (e:Entity {id: id})
MATCH (e)<-[:MEMBER]-(a:Address)
WHERE a.label IS NOT NULL
RETURN id, a.entity_id AS owner, a.label AS label, a.category AS category, a.label_sure AS sure, count(a) AS members
