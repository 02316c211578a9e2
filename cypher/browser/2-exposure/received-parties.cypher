// Exposure, received: which labelled parties can money have come from?
// Each party that a way in the order of time leads back to, as far as the service follows them (ten hops, over bridges too).
// `usd` is all that it paid the last addresses on the ways, other people's money too: the part that is the address's own is the
// service's arithmetic.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
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
UNWIND known AS one
WITH DISTINCT found, one[0] AS key, one[1] AS category
WHERE category IN $stops AND key <> $address
WITH key, category, reduce(pairs = [], reached IN found | CASE WHEN reached[0] = key THEN pairs + reached[1] ELSE pairs END) AS pairs
UNWIND pairs AS pair
WITH DISTINCT key, category, pair
WITH key, category, count(DISTINCT pair[0]) AS neighbours, sum(pair[1]) AS usd, min(pair[2]) AS first_at, max(pair[3]) AS last_at
MATCH (party:Address {key: key})
RETURN key AS address, category, party.label AS label, neighbours, round(usd, 2) AS usd,
       toString(datetime({epochMillis: first_at})) AS first_at, toString(datetime({epochMillis: last_at})) AS last_at
ORDER BY usd DESC, address
LIMIT 1000;
