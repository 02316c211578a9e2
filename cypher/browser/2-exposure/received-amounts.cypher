// Exposure, received: where the money came from, in dollars
// Up to three hops, by the rule of the service (haircut): each address on the way paid in the mix that it held then.
// Without fees, swaps and wrapped coins. Transfers up to `min_usd` are not followed: raise it for a busy address.
// Each address counts once: money that comes by longer ways as well is found by the service alone.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
MATCH (a:Address {key: $address}) ((near:Address)<-[t:TRANSFER WHERE coalesce(t.usd, $min_usd + 1) > $min_usd]-(far:Address)){1,3} (service:Address)
WHERE t[0].usd IS NOT NULL AND service.category IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service']
  AND none(n IN near[1..] WHERE coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  AND all(i IN range(0, size(far) - 1) WHERE far[i] <> a AND NOT far[i] IN far[..i])
  AND all(i IN range(1, size(t) - 1) WHERE t[i].asset = t[i - 1].asset AND (t[i].at < t[i - 1].at OR (t[i].at = t[i - 1].at AND CASE WHEN t[i].tx_hash = t[i - 1].tx_hash
      THEN coalesce(t[i].seq < t[i - 1].seq, true)
      ELSE t[i].block < t[i - 1].block OR (t[i].block = t[i - 1].block AND t[i].position < t[i - 1].position) END)))
WITH service, t, COLLECT {
  // The address on the way replayed: [held, rest of the receipt, part of the money that went with the payment].
  UNWIND range(1, size(t) - 1) AS i
  WITH i, near[i] AS n, t[i - 1] AS nearer, t[i] AS farther
  CALL (n, nearer) {
    MATCH (n)-[r:TRANSFER]-(o:Address)
    WHERE o <> n AND r.asset = nearer.asset
    WITH n, r
    ORDER BY r.at, coalesce(r.block, 0), coalesce(r.position, 0), r.tx_hash, coalesce(r.seq, 0)
    RETURN collect({id: r.id, units: toFloat(r.amount), paid: startNode(r) = n}) AS steps
  }
  WITH reduce(s = [0.0, 0.0, 0.0], x IN steps | CASE
    WHEN NOT x.paid THEN [s[0] + x.units, s[1] + CASE WHEN x.id = farther.id THEN x.units ELSE 0.0 END, s[2]]
    ELSE [CASE WHEN x.units > s[0] THEN x.units ELSE s[0] END - x.units, s[1] * (1 - x.units / CASE WHEN x.units > s[0] THEN x.units ELSE s[0] END),
          CASE WHEN x.id = nearer.id THEN s[1] / CASE WHEN x.units > s[0] THEN x.units ELSE s[0] END ELSE s[2] END]
    END) AS state
  RETURN state[2]
} AS shares
WITH service, size(t) AS hops, t, t[0].usd * reduce(product = 1.0, share IN shares | product * share) AS usd
WHERE usd > 0
RETURN CASE WHEN hops = 1 THEN 'direct' ELSE 'indirect' END AS tier, service.category AS category,
       round(sum(usd), 2) AS usd, count(DISTINCT service) AS addresses, min(hops) AS min_hops,
       collect(DISTINCT service.label)[..5] AS labels
ORDER BY tier, usd DESC, category;
