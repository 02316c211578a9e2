// Question: which addresses did these pay, largest sums first?
// Params: $keys (list of `chain:address`), $min_usd (smallest sum of a pair; 0 keeps unpriced pairs), $breadth (pairs an address)
// Rows: near, far (keys), usd, first_at, last_at (epoch ms of the pair's transfers), category, read and has_bridges of the
//       far end (read, of its history: loaded, from the first transfer on, by a file, or loaded_part; whole, part or none; has_bridges:
//       exposure/crossings has more); ordered by near, then usd descending
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]->(b:Address)
  WHERE f.usd >= $min_usd
  RETURN b, f
  ORDER BY f.usd DESC, b.key
  LIMIT $breadth
}
RETURN a.key AS near, b.key AS far, f.usd AS usd, f.first_at AS first_at, f.last_at AS last_at, b.category AS category,
       CASE WHEN any(i IN range(0, size(coalesce(b.read_sources, [])) - 1) WHERE b.read_sources[i] = 'file' AND b.read_from[i] = 0) THEN 'loaded'
            WHEN b.scan_complete THEN 'whole' WHEN 'file' IN coalesce(b.read_sources, []) THEN 'loaded_part'
            WHEN b.scanned_at IS NOT NULL OR size(coalesce(b.read_lists, [])) > 0 THEN 'part' ELSE 'none' END AS read,
       coalesce(b.has_bridges, false) AS has_bridges
ORDER BY near, usd DESC, far
