// Question: the same as mark-scanned.cypher; the address also gets the label `Scanned`, because Neo4j Browser styles by
// label alone.
// Params: the same
// Rows: the same
MERGE (a:Address {key: $key})
ON CREATE SET a.chain = $chain, a.address = $address, a.degree_in = 0, a.degree_out = 0
SET a.scan_complete = CASE WHEN a.scanned_at > $at THEN a.scan_complete ELSE $complete END,
  a.scanned_at = CASE WHEN a.scanned_at > $at THEN a.scanned_at ELSE $at END,
  a:Scanned
