// Question: when was the history of an address read, and to its end? It also gets the label `Scanned`, because Neo4j Browser
//           styles by label alone.
// Params: $key, $chain, $address, $at (epoch ms), $complete
// Rows: none
MERGE (a:Address {key: $key})
ON CREATE SET a.chain = $chain, a.address = $address, a.degree_in = 0, a.degree_out = 0
SET a.scan_complete = CASE WHEN a.scanned_at > $at THEN a.scan_complete ELSE $complete END,
  a.scanned_at = CASE WHEN a.scanned_at > $at THEN a.scanned_at ELSE $at END,
  a:Scanned
