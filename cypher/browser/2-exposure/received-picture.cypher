// Exposure, received: where the money came from, as a picture
// Up to three hops of flows that end at a labelled service, the widest first. Time order is not looked at here.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param limit => 50
MATCH p = (a:Address {key: $address}) ((near:Address)<-[f:FLOW WHERE f.usd > $min_usd]-(far:Address)){1,3} (service:Address)
WHERE service.category IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']
  AND none(n IN near[1..] WHERE coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  AND all(i IN range(0, size(far) - 1) WHERE far[i] <> a AND NOT far[i] IN far[..i])
WITH p, size(f) AS hops, reduce(narrowest = f[0].usd, x IN f | CASE WHEN x.usd < narrowest THEN x.usd ELSE narrowest END) AS usd
RETURN p
ORDER BY hops, usd DESC
LIMIT toInteger($limit);
