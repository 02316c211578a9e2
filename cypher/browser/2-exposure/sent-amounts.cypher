// Exposure, sent: where the money went, in dollars
// Up to three hops, by the product's own rule (haircut): what each address on the way
// received went into all it paid out after, in proportion.
// Transfers up to `min_usd` are not followed: raise it for a busy address. One row per category and tier.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
MATCH (a:Address {key: $address}) ((near:Address)-[t:TRANSFER WHERE t.usd > $min_usd]->(far:Address)){1,3} (service:Address)
WHERE service.category IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']
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
RETURN CASE WHEN hops = 1 THEN 'direct' ELSE 'indirect' END AS tier, service.category AS category,
       round(sum(usd), 2) AS usd, count(DISTINCT service) AS addresses, min(hops) AS min_hops,
       collect(DISTINCT service.label)[..5] AS labels
ORDER BY tier, usd DESC, category;
