// Question: how many edges and owners does the graph hold?
// Params: none
// Rows: one: transfers, flows, entities
CALL () { MATCH (:Address)-[t:TRANSFER]->(:Address) RETURN count(t) AS transfers }
CALL () { MATCH (:Address)-[f:FLOW]->(:Address) RETURN count(f) AS flows }
CALL () { MATCH (e:Entity) RETURN count(e) AS entities }
RETURN transfers, flows, entities
