// Question: who owns these addresses? Connects each to its owner, which is created when it is new.
// Params: one entry per address: $key, $entity_id, $name, $category
// Rows: none
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
MERGE (e:Entity {id: $entity_id[i]})
ON CREATE SET e.name = $name[i], e.category = $category[i]
CREATE (a)-[:BELONGS_TO]->(e)
