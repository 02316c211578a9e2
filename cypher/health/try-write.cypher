// Question: Can the engine still commit a write?
// Params: at (epoch ms).
// Rows: one, `at`.
MERGE (p:WriteProbe {id: 'readiness'})
SET p.at = $at
RETURN p.at AS at
