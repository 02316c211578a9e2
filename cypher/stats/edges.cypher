// Question: how many edges and owners does the graph hold?
// Params: none
// Rows: one: transfers, flows, bridged, entities
CALL () { MATCH (:Address)-[t:TRANSFER]->(:Address) RETURN count(t) AS transfers }
CALL () { MATCH (:Address)-[f:FLOW]->(:Address) RETURN count(f) AS flows }
CALL () { MATCH (:Address)-[b:BRIDGED]->(:Address) RETURN count(b) AS bridged }
CALL () { MATCH (e:Entity) WHERE e.size IS NULL RETURN count(e) AS entities }
RETURN transfers, flows, bridged, entities
