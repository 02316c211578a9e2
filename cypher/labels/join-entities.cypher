// Gives addresses without an owner their owner, which is made when it is new.
// Parameters, one entry per address: $key, $entity_id, $name, $category.
UNWIND range(0, size($key) - 1) AS i
MERGE (e:Entity {id: $entity_id[i]})
ON CREATE SET e.name = $name[i], e.category = $category[i]
WITH e, i
MATCH (a:Address {key: $key[i]})
CREATE (a)-[:BELONGS_TO]->(e)
