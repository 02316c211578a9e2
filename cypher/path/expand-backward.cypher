// Question: from whom did these addresses receive, largest sums first?
// Params: $keys (list of `chain:address`), $min_usd (smallest sum of a pair; 0 keeps unpriced pairs), $breadth (pairs an address)
// Rows: near, far (keys), usd, category of the far end; ordered by near, then usd descending
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (b:Address)-[f:FLOW]->(a)
  WHERE coalesce(f.usd, 0) >= $min_usd AND b.key <> a.key
  RETURN b, f
  ORDER BY coalesce(f.usd, 0) DESC, b.key
  LIMIT $breadth
}
RETURN a.key AS near, b.key AS far, coalesce(f.usd, 0) AS usd, b.category AS category
ORDER BY near, usd DESC, far
