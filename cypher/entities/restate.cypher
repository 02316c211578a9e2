// Question: what are known entities now?
// Params: one entry per entity: $before (id until now), $id, $size, $basis
// Rows: none
UNWIND range(0, size($before) - 1) AS i
MATCH (e:Entity {id: $before[i]})
SET e.id = $id[i], e.size = $size[i], e.basis = $basis[i]
