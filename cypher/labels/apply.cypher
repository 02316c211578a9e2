// Question: which label counts for each address? Sets it on the node or removes it; unknown addresses are left out.
// Params: one entry per address: $key, $category, $label, $label_source, $label_sure, $entity_id (null: none)
// Rows: key, entity_before (its owner until now), holder (id of the entity that it is a member of), before (category, label,
// label_sure and owner until now)
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
CALL (a) {
  MATCH (a)-[:MEMBER]->(e:Entity)
  RETURN collect(e.id) AS holders
}
WITH a, i, holders[0] AS holder, a.entity_id AS entity_before, [a.category, a.label, a.label_sure, a.entity_id] AS before
SET a.category = $category[i], a.label = $label[i], a.label_source = $label_source[i], a.entity_id = $entity_id[i],
  a.label_sure = $label_sure[i]
RETURN a.key AS key, entity_before, holder, before
