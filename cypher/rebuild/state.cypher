// Question: must the graph be rebuilt, because transfers have ids of an earlier version, or a rebuild did not end?
// Params: none
// Rows: state: `crossings` or `transfers`, where a rebuild stands; `old` where a sampled transfer has an earlier id
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
