// Flow path: did money get from one address to the other, in time order?
// Up to five hops, each transfer later than the one before, not through services. Shortest first, then the way whose
// smallest transfer is largest. Looks at the fifty shortest sequences of addresses.
// :param from => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param to => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (a:Address {key: $from}), (b:Address {key: $to})
MATCH way = SHORTEST 50 (a) ((:Address)-[:FLOW]->(next:Address)
  WHERE next = b OR NOT coalesce(next.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']) {1,5} (b)
WITH a, b, nodes(way) AS stops
MATCH p = (a) ((x:Address)-[t:TRANSFER]->(y:Address) WHERE x IN stops AND y IN stops) {1,5} (b)
WHERE [n IN x | n.key] + [b.key] = [n IN stops | n.key]
  AND all(i IN range(1, size(t) - 1) WHERE t[i - 1].at < t[i].at OR (t[i - 1].at = t[i].at AND CASE WHEN t[i - 1].tx_hash = t[i].tx_hash
      THEN coalesce(t[i - 1].seq < t[i].seq, true)
      ELSE t[i - 1].block < t[i].block OR (t[i - 1].block = t[i].block AND t[i - 1].position < t[i].position) END))
WITH stops, p, t, [hop IN t WHERE hop.usd IS NOT NULL | hop.usd] AS priced
WITH stops, p, t, reduce(least = priced[0], usd IN priced | CASE WHEN usd < least THEN usd ELSE least END) AS bottleneck_usd
ORDER BY coalesce(bottleneck_usd, 0) DESC, t[0].at, t[0].id
WITH stops, collect({p: p, t: t, bottleneck_usd: bottleneck_usd})[0] AS best
WITH stops, best.p AS p, best.t AS t, best.bottleneck_usd AS bottleneck_usd
RETURN size(t) AS length, round(bottleneck_usd, 6) AS bottleneck_usd, [n IN stops | n.address] AS addresses,
       [hop IN t | toString(datetime({epochMillis: hop.at}))] AS times, [hop IN t | hop.tx_hash] AS tx_hashes, p
ORDER BY length, coalesce(bottleneck_usd, 0) DESC, times[0], addresses
LIMIT 3;
