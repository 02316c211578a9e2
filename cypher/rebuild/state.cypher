// Question: must the graph be rebuilt, because it is as an earlier version wrote it, or a rebuild did not end?
// Params: none
// Rows: state: `crossings` or `transfers`, where a rebuild stands; `old` where a sampled transfer has an earlier id, or a
//       sampled roll-up names its transfers
MATCH (r:Rebuild)
RETURN r.phase AS state
UNION ALL
MATCH (a:Address)
WITH a LIMIT 200
MATCH (a)-[t:TRANSFER]-(:Address)
WITH t LIMIT 200
WITH t WHERE t.id CONTAINS ':'
WITH t LIMIT 1
RETURN 'old' AS state
UNION ALL
MATCH (a:Address)
WITH a LIMIT 200
MATCH (a)-[f:FLOW]-(:Address)
WITH f LIMIT 200
WITH f WHERE f.top_tx_hash IS NOT NULL
WITH f LIMIT 1
RETURN 'old' AS state
