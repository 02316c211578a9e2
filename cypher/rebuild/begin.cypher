// Question: where does the rebuild of the graph stand? No service starts on the graph before it ends.
// Params: $phase: `crossings` or `transfers`
// Rows: none
MERGE (r:Rebuild {id: 'transfers'})
SET r.phase = $phase
