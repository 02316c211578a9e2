// Question: who paid the addresses of the front before money left there, and until when can it have been at these?
// Params: those of walk/start
// Rows: one: what was found so far, and the next front (a part of walk/received-<n>); hop-sent is its mirror,
//       since the bounds of time run the other way
CALL (front, wide) {
  UNWIND front[0..wide[0]] AS entry
  WITH entry[0] AS a, entry[1] AS at
  MATCH (a)<-[f:FLOW]-(b:Address)
  WHERE f.usd >= $min_usd AND (NOT $timed OR f.first_at <= at)
  WITH a, at, f, b
  ORDER BY f.usd DESC, b.key
  WITH a, at, collect([b, f]) AS flows
  UNWIND flows[0..$breadth] AS one
  WITH a, at, one[0] AS b, one[1] AS f
  WITH b, max(CASE WHEN f.last_at < at THEN f.last_at ELSE at END) AS at, max(f.usd) AS usd,
       collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
  ORDER BY usd DESC, b.key
  RETURN collect([b.key, pairs]) AS far,
         collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN $closed) THEN [b, at, b.key] END) AS next
}
WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
