// Terminals: at which services did the money end?
// Up to four hops in the order of time, with the share of the money (haircut) that arrived. Largest first.
// Change `categories` to look for some of them only.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param categories => ['exchange', 'bridge', 'mixer', 'scam', 'drainer', 'sanctioned', 'darknet']
MATCH (a:Address {key: $address}) ((near:Address)-[t:TRANSFER WHERE t.usd > $min_usd]->(far:Address)){1,4} (service:Address)
WHERE service.category IN $categories
  AND none(n IN near[1..] WHERE coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  AND all(i IN range(0, size(far) - 1) WHERE far[i] <> a AND NOT far[i] IN far[..i])
  AND all(i IN range(1, size(t) - 1) WHERE t[i - 1].at < t[i].at OR (t[i - 1].at = t[i].at AND CASE WHEN t[i - 1].tx_hash = t[i].tx_hash
      THEN coalesce(t[i - 1].seq, 0) < coalesce(t[i].seq, 0)
      ELSE t[i - 1].block < t[i].block OR (t[i - 1].block = t[i].block AND t[i - 1].position < t[i].position) END))
WITH service, t, COLLECT {
  UNWIND range(1, size(t) - 1) AS i
  WITH i, near[i] AS n, t[i - 1] AS nearer, t[i] AS farther
  MATCH (n)-[r:TRANSFER]->(o:Address)
  WHERE r.usd > 0 AND o <> n AND (nearer.at < r.at OR (nearer.at = r.at AND CASE WHEN nearer.tx_hash = r.tx_hash
      THEN coalesce(nearer.seq, 0) < coalesce(r.seq, 0)
      ELSE nearer.block < r.block OR (nearer.block = r.block AND nearer.position < r.position) END))
  WITH i, farther.usd AS part, sum(r.usd) AS whole
  RETURN part / whole
} AS shares
WITH service, size(t) AS hops, t, t[0].usd * reduce(product = 1.0, share IN shares | product * share) AS usd
RETURN service.key AS address, service.category AS category, service.label AS label, min(hops) AS hops,
       round(sum(usd), 2) AS usd,
       toString(datetime({epochMillis: min(t[-1].at)})) AS first_at, toString(datetime({epochMillis: max(t[-1].at)})) AS last_at
ORDER BY usd DESC, address
LIMIT 100;
