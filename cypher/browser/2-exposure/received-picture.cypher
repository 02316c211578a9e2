// Exposure, received: where the money came from, as a picture
// The ways that lead from a labelled party to the address in the order of time, as far as the service follows them (ten
// hops, over bridges too), the nearest first.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param limit => 50
// :param stops => ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']
// :param no_parties => ['coinbase', '0x0000000000000000000000000000000000000000', '0x0000000000000000000000000000000000000001', '0x000000000000000000000000000000000000dead', '0xdead000000000000000042069420694206942069', '1nc1nerator11111111111111111111111111111111', '11111111111111111111111111111111', '1BitcoinEaterAddressDontSendf59kuE', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji']
// Walk: received from $address, 10 hops
CALL () {
  CALL () {
    UNWIND range(0, size([$address]) - 1) AS i
    MATCH (a:Address {key: [$address][i]})
    RETURN collect([a, [9007199254740991][i], a.key]) AS front
  }
  WITH front, [200, 200, 200, 200, 200, 200, 200, 200, 200, 200] AS wide, [] AS opened, [] AS found
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS next
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
           collect(CASE WHEN NOT (coalesce(b.category, '') IN $stops OR b.address IN $no_parties OR b.key IN [$address]) THEN [b, at, b.key] END) AS over
  }
  WITH over + front AS front, wide, opened, found + far AS found
  WITH opened, found, [$address] + [far IN found | far[0]] AS keys
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
WITH found, [one IN known WHERE one[1] IN $stops AND one[0] <> $address | one[0]] AS parties
WITH found, reduce(lead = parties, far IN reverse(found) | CASE WHEN far[0] IN lead THEN lead + [pair IN far[1] WHERE NOT pair[0] IN lead | pair[0]] ELSE lead END) AS lead
UNWIND range(0, size(found) - 1) AS place
WITH place, found[place] AS reached, lead
WHERE reached[0] IN lead
UNWIND reached[1] AS pair
WITH reached[0] AS far_key, pair[0] AS near_key, min(place) AS place
MATCH p = (:Address {key: far_key})-[:FLOW|BRIDGED]->(:Address {key: near_key})
RETURN p
ORDER BY place
LIMIT toInteger($limit);
