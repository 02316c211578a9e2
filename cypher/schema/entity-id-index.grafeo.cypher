// As for the key of an address.
CREATE INDEX entity_id_index IF NOT EXISTS FOR (e:Entity) ON (e.id)
