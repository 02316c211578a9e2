// Question: over which bridges did money reach the addresses that were just opened, before it left there?
// Params: those of walk/start
// Rows: one: what was found so far, and the next front with who sent that money on other chains (a part of
//       walk/received-across-<n>, after each hop). Crossings whose two sides are only likely to be one are left out.
//       cross-sent is its mirror, since the bounds of time run the other way.
CALL (opened) {
  UNWIND opened AS entry
  WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
  MATCH (a:Address {key: key})
  WHERE a.has_bridges
  MATCH (a)<-[x:BRIDGED]-(b:Address)
  WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT $timed OR x.at_in <= at) AND NOT b.key IN known
  WITH a, x, b
  ORDER BY coalesce(x.usd, 0) DESC, x.id
  WITH a, collect([b, x]) AS crossings
  UNWIND crossings[0..$breadth] AS one
  WITH a, one[0] AS b, one[1] AS x
  WITH b, max(x.at) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
  ORDER BY usd DESC, b.key
  RETURN collect([b.key, pairs]) AS far,
         collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN $closed) THEN [b, at, b.key] END) AS over
}
WITH over + front AS front, wide, opened, found + far AS found
