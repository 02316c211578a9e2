// Question: which label counts for each address? Sets it on the node or removes it; unknown addresses are left out.
// Params: one entry per address: $key, $category, $label, $label_source, $entity_id (null: none)
// Rows: key, entity_before (its owner until now)
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
WITH a, i, a.entity_id AS entity_before
SET a.category = $category[i], a.label = $label[i], a.label_source = $label_source[i], a.entity_id = $entity_id[i]
RETURN a.key AS key, entity_before
