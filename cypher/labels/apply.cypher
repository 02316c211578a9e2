// Puts the best label of each address on its node, or takes it away; addresses that the graph does not hold are left out.
// Parameters, one entry per address: $key, $category, $label, $label_source, $entity_id (null: none).
// Rows: key of each node, and its entity before: entity_before.
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
WITH a, i, a.entity_id AS entity_before
SET a.category = $category[i], a.label = $label[i], a.label_source = $label_source[i], a.entity_id = $entity_id[i]
RETURN a.key AS key, entity_before
