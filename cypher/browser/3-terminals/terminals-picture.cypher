// Terminals: the ways to the services, as a picture
// Up to four hops of flows, the shortest and widest ways first.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param limit => 50
// :param categories => ['exchange', 'bridge', 'mixer', 'scam', 'drainer', 'sanctioned', 'darknet']
MATCH p = (a:Address {key: $address}) ((near:Address)-[f:FLOW WHERE f.usd > $min_usd]->(far:Address)){1,4} (service:Address)
WHERE service.category IN $categories
  AND none(n IN near[1..] WHERE coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  AND all(i IN range(0, size(far) - 1) WHERE far[i] <> a AND NOT far[i] IN far[..i])
WITH p, size(f) AS hops, reduce(narrowest = f[0].usd, x IN f | CASE WHEN x.usd < narrowest THEN x.usd ELSE narrowest END) AS usd
RETURN p
ORDER BY hops, usd DESC
LIMIT toInteger($limit);
