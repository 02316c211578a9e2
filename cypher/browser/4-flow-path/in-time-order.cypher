// Flow path: did money get from one address to the other, in time order?
// Up to five hops, each transfer later than the one before, over bridges and not through services. Shortest first, then the
// way whose smallest transfer is largest. Looks at the fifty shortest sequences of addresses that the walks from both ends met.
// :param from => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param to => 'ethereum:0x00000000000000000000000000000000000000b2'
// :param min_usd => 0
// :param stops => ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']
// :param no_parties => ['coinbase', '0x0000000000000000000000000000000000000000', '0x0000000000000000000000000000000000000001', '0x000000000000000000000000000000000000dead', '0xdead000000000000000042069420694206942069', '1nc1nerator11111111111111111111111111111111', '11111111111111111111111111111111', '1BitcoinEaterAddressDontSendf59kuE', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji']
// Walk: sent from $from, 5 hops
CALL () {
  CALL () {
    UNWIND range(0, size([$from]) - 1) AS i
    MATCH (a:Address {key: [$from][i]})
    RETURN collect([a, [0][i], a.key]) AS front
  }
  WITH front, [200, 200, 200, 200, 200] AS wide, [] AS opened, [] AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)-[f:FLOW]->(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.last_at >= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, min(CASE WHEN f.first_at > at THEN f.first_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)-[x:BRIDGED]->(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at >= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, min(x.at_in) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)-[f:FLOW]->(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.last_at >= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, min(CASE WHEN f.first_at > at THEN f.first_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)-[x:BRIDGED]->(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at >= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, min(x.at_in) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)-[f:FLOW]->(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.last_at >= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, min(CASE WHEN f.first_at > at THEN f.first_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)-[x:BRIDGED]->(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at >= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, min(x.at_in) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)-[f:FLOW]->(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.last_at >= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, min(CASE WHEN f.first_at > at THEN f.first_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)-[x:BRIDGED]->(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at >= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, min(x.at_in) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)-[f:FLOW]->(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.last_at >= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, min(CASE WHEN f.first_at > at THEN f.first_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)-[x:BRIDGED]->(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at >= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, min(x.at_in) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$from]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  WITH opened, found, [$from] + [far IN found | far[0]] AS keys
  CALL (keys) {
    UNWIND keys AS key
    MATCH (b:Address {key: key})
    RETURN collect([b.key, b.category, CASE WHEN any(i IN range(0, size(coalesce(b.read_sources, [])) - 1) WHERE b.read_sources[i] = 'file' AND b.read_from[i] = 0) THEN 'loaded'
              WHEN b.scan_complete THEN 'whole' WHEN 'file' IN coalesce(b.read_sources, []) THEN 'loaded_part'
              WHEN b.scanned_at IS NOT NULL OR size(coalesce(b.read_lists, [])) > 0 THEN 'part' ELSE 'none' END, coalesce(b.has_bridges, false)]) AS known
  }
  RETURN opened, found, known
}
// End of the walk, which `npm run favourites` writes
WITH [$from] + [reached IN found | reached[0]] AS ahead
// Walk: received from $to, 5 hops
CALL () {
  CALL () {
    UNWIND range(0, size([$to]) - 1) AS i
    MATCH (a:Address {key: [$to][i]})
    RETURN collect([a, [9007199254740991][i], a.key]) AS front
  }
  WITH front, [200, 200, 200, 200, 200] AS wide, [] AS opened, [] AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)<-[f:FLOW]-(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.first_at <= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, max(CASE WHEN f.last_at < at THEN f.last_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)<-[x:BRIDGED]-(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at_in <= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, max(x.at) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)<-[f:FLOW]-(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.first_at <= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, max(CASE WHEN f.last_at < at THEN f.last_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)<-[x:BRIDGED]-(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at_in <= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, max(x.at) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)<-[f:FLOW]-(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.first_at <= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, max(CASE WHEN f.last_at < at THEN f.last_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)<-[x:BRIDGED]-(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at_in <= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, max(x.at) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)<-[f:FLOW]-(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.first_at <= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, max(CASE WHEN f.last_at < at THEN f.last_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)<-[x:BRIDGED]-(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at_in <= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, max(x.at) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  CALL (front, wide) {
    UNWIND front[0..wide[0]] AS entry
    WITH entry[0] AS a, entry[1] AS at
    MATCH (a)<-[f:FLOW]-(b:Address)
    WHERE f.usd >= $min_usd AND (NOT true OR f.first_at <= at)
    WITH a, at, f, b
    ORDER BY f.usd DESC, b.key
    WITH a, at, collect([b, f]) AS flows
    UNWIND flows[0..200] AS one
    WITH a, at, one[0] AS b, one[1] AS f
    WITH b, max(CASE WHEN f.last_at < at THEN f.last_at ELSE at END) AS at, max(f.usd) AS usd,
         collect([a.key, f.usd, f.first_at, f.last_at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS next
  }
  WITH next AS front, wide[1..] AS wide, opened + [entry IN front[0..wide[0]] | [entry[2], entry[1]]] AS opened, found + far AS found
  CALL (opened) {
    UNWIND opened AS entry
    WITH entry[1] AS at, entry[0] AS key, [one IN opened | one[0]] AS known
    MATCH (a:Address {key: key})
    WHERE a.has_bridges
    MATCH (a)<-[x:BRIDGED]-(b:Address)
    WHERE x.`match` = 'id' AND coalesce(x.usd, 0) >= $min_usd AND (NOT true OR x.at_in <= at) AND NOT b.key IN known
    WITH a, x, b
    ORDER BY coalesce(x.usd, 0) DESC, x.id
    WITH a, collect([b, x]) AS crossings
    UNWIND crossings[0..200] AS one
    WITH a, one[0] AS b, one[1] AS x
    WITH b, max(x.at) AS at, max(coalesce(x.usd, 0)) AS usd, collect([a.key, coalesce(x.usd, 0), x.at_in, x.at]) AS pairs
    ORDER BY usd DESC, b.key
    RETURN collect([b.key, pairs]) AS far,
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$to]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  WITH opened, found, [$to] + [far IN found | far[0]] AS keys
  CALL (keys) {
    UNWIND keys AS key
    MATCH (b:Address {key: key})
    RETURN collect([b.key, b.category, CASE WHEN any(i IN range(0, size(coalesce(b.read_sources, [])) - 1) WHERE b.read_sources[i] = 'file' AND b.read_from[i] = 0) THEN 'loaded'
              WHEN b.scan_complete THEN 'whole' WHEN 'file' IN coalesce(b.read_sources, []) THEN 'loaded_part'
              WHEN b.scanned_at IS NOT NULL OR size(coalesce(b.read_lists, [])) > 0 THEN 'part' ELSE 'none' END, coalesce(b.has_bridges, false)]) AS known
  }
  RETURN opened, found, known
}
// End of the walk, which `npm run favourites` writes
WITH ahead, [$to] + [reached IN found | reached[0]] AS behind
// Of an address with thousands of payees only the widest are walked: the walk from the other end may know the way.
WITH ahead + [key IN behind WHERE NOT key IN ahead] AS between
MATCH (a:Address {key: $from}), (b:Address {key: $to})
MATCH way = SHORTEST 50 (a) ((:Address)-[f:FLOW|BRIDGED]->(next:Address)
  WHERE next.key IN between AND (type(f) = 'FLOW' OR f.`match` = 'id')
    AND (next = b OR NOT coalesce(next.category, '') IN $stops)) {1,5} (b)
WITH DISTINCT a, b, nodes(way) AS stops
WHERE none(i IN range(1, size(stops) - 1) WHERE stops[i] IN stops[0..i])
MATCH p = (a) ((x:Address)-[t:TRANSFER|BRIDGED]->(y:Address)
  WHERE x IN stops AND y IN stops AND coalesce(t.usd, 0) >= $min_usd AND (type(t) = 'TRANSFER' OR t.`match` = 'id')) {1,5} (b)
WHERE [n IN x | n.key] + [b.key] = [n IN stops | n.key]
  // What a crossing explains is not another way: its sender paid the bridge, and the bridge its recipient.
  AND none(i IN range(0, size(t) - 1) WHERE type(t[i]) = 'TRANSFER' AND (
    EXISTS { MATCH (n:Address {key: x[i].key})-[c:BRIDGED {`match`: 'id'}]->() WHERE c.source CONTAINS '"' + t[i].id + '"' }
    OR EXISTS { MATCH (n:Address {key: y[i].key})<-[c:BRIDGED {`match`: 'id'}]-() WHERE c.destination CONTAINS '"' + t[i].id + '"' }))
WITH stops, p, t, [hop IN t | CASE WHEN hop.index CONTAINS ':' THEN split(hop.index, ':')[0] WHEN hop.index =~ '[0-9]+' THEN '' ELSE hop.index END] AS kinds
// In one transaction its own value comes first; places of one kind have an order, others none that is known.
WHERE all(i IN range(1, size(t) - 1) WHERE coalesce(t[i - 1].at_in, t[i - 1].at) < t[i].at
    OR (coalesce(t[i - 1].at_in, t[i - 1].at) = t[i].at AND CASE WHEN t[i - 1].tx_hash = t[i].tx_hash
      THEN CASE WHEN kinds[i - 1] = kinds[i] AND kinds[i] IN ['log', 'trace', 'ix', ''] THEN coalesce(t[i - 1].seq, 0) < coalesce(t[i].seq, 0)
        ELSE coalesce(kinds[i] <> 'native', true) END
      ELSE t[i - 1].block < t[i].block OR (t[i - 1].block = t[i].block AND t[i - 1].position < t[i].position) END))
WITH stops, p, t, [hop IN t WHERE hop.usd IS NOT NULL | hop.usd] AS priced
WITH stops, p, t, reduce(least = priced[0], usd IN priced | CASE WHEN usd < least THEN usd ELSE least END) AS bottleneck_usd
ORDER BY CASE WHEN size(priced) = size(t) THEN bottleneck_usd ELSE 0 END DESC, t[0].at, t[0].id
WITH stops, collect({p: p, t: t, bottleneck_usd: bottleneck_usd})[0] AS best
WITH stops, best.p AS p, best.t AS t, best.bottleneck_usd AS bottleneck_usd
RETURN size(t) AS length, round(bottleneck_usd, 6) AS bottleneck_usd, [n IN stops | n.address] AS addresses,
       [hop IN t | toString(datetime({epochMillis: hop.at}))] AS times, [hop IN t | coalesce(hop.tx_hash, hop.tx_out)] AS tx_hashes, p
ORDER BY length, coalesce(bottleneck_usd, 0) DESC, times[0], addresses
LIMIT 3;
