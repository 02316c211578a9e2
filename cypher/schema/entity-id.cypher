// Question: which owner has an id? One node each.
// Params: none
// Rows: none
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE
