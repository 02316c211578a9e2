// Question: what are entities called now?
// Params: one entry per entity: $id, $name, $category, $several_services (null: none)
// Rows: none
UNWIND range(0, size($id) - 1) AS i
MATCH (e:Entity {id: $id[i]})
SET e.name = $name[i], e.category = $category[i], e.several_services = $several_services[i]
