// Question: what is an entity, as far as its members say?
// Params: $id: id of the entity
// Rows: one, none without such an entity: id, name, category, basis, size, several_services, chains, first_seen_at, last_seen_at
// (null: unknown, or no transfer)
MATCH (e:Entity {id: $id})
MATCH (e)<-[:MEMBER]-(a:Address)
RETURN e.id AS id, e.name AS name, e.category AS category, e.basis AS basis, e.size AS size,
  e.several_services AS several_services, collect(DISTINCT a.chain) AS chains,
  min(a.first_seen_at) AS first_seen_at, max(a.last_seen_at) AS last_seen_at
