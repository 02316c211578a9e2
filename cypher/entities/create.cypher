// Question: which entities are new? Creates them, without what their members say.
// Params: one entry per entity: $id, $size, $basis
// Rows: none
UNWIND range(0, size($id) - 1) AS i
CREATE (:Entity {id: $id[i], size: $size[i], basis: $basis[i]})
