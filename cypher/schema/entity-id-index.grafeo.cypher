// Question: which owner has an id? As for the key of an address.
// Params: none
// Rows: none
CREATE INDEX entity_id_index IF NOT EXISTS FOR (e:Entity) ON (e.id)
