// Exposure, received: the single transfers with their amounts, as a picture
// Up to three hops from the services to the address, in the order of time and in one asset. White nodes were never scanned.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param limit => 50
MATCH p = (a:Address {key: $address}) ((near:Address)<-[t:TRANSFER WHERE coalesce(t.usd, $min_usd + 1) > $min_usd]-(far:Address)){1,3} (service:Address)
WHERE service.category IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']
  AND none(n IN near[1..] WHERE coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  AND all(i IN range(0, size(far) - 1) WHERE far[i] <> a AND NOT far[i] IN far[..i])
  AND all(i IN range(1, size(t) - 1) WHERE t[i].asset = t[i - 1].asset AND t[i].at <= t[i - 1].at)
RETURN p
ORDER BY size(t), t[0].usd DESC, t[0].id
LIMIT toInteger($limit);
