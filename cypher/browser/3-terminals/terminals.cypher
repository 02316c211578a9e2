// Terminals: at which services did the money end?
// Up to four hops in the order of time, with the share of the money (haircut) that arrived. Largest first. Without fees,
// swaps and wrapped coins. Change `categories` to look for some of them only.
// Each address counts once: money that comes by longer ways as well is found by the service alone.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param categories => ['exchange', 'bridge', 'mixer', 'scam', 'drainer', 'sanctioned', 'darknet']
MATCH (a:Address {key: $address}) ((near:Address)-[t:TRANSFER WHERE coalesce(t.usd, $min_usd + 1) > $min_usd]->(far:Address)){1,4} (service:Address)
WHERE t[0].usd IS NOT NULL AND service.category IN $categories
  AND none(n IN near[1..] WHERE coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  AND all(i IN range(0, size(far) - 1) WHERE far[i] <> a AND NOT far[i] IN far[..i])
  AND all(i IN range(1, size(t) - 1) WHERE t[i].asset = t[i - 1].asset AND (t[i - 1].at < t[i].at OR (t[i - 1].at = t[i].at AND CASE WHEN t[i - 1].tx_hash = t[i].tx_hash
      THEN coalesce(t[i - 1].seq < t[i].seq, true)
      ELSE t[i - 1].block < t[i].block OR (t[i - 1].block = t[i].block AND t[i - 1].position < t[i].position) END)))
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
    WHEN NOT x.paid THEN [s[0] + x.units, s[1] + CASE WHEN x.id = nearer.id THEN x.units ELSE 0.0 END, s[2]]
    ELSE [CASE WHEN x.units > s[0] THEN x.units ELSE s[0] END - x.units, s[1] * (1 - x.units / CASE WHEN x.units > s[0] THEN x.units ELSE s[0] END),
          CASE WHEN x.id = farther.id THEN s[1] * x.units / CASE WHEN x.units > s[0] THEN x.units ELSE s[0] END / toFloat(nearer.amount) ELSE s[2] END]
    END) AS state
  RETURN state[2]
} AS shares
WITH service, size(t) AS hops, t, t[0].usd * reduce(product = 1.0, share IN shares | product * share) AS usd
WHERE usd > 0
RETURN service.key AS address, service.category AS category, service.label AS label, min(hops) AS hops,
       round(sum(usd), 2) AS usd,
       toString(datetime({epochMillis: min(t[-1].at)})) AS first_at, toString(datetime({epochMillis: max(t[-1].at)})) AS last_at
ORDER BY usd DESC, address
LIMIT 100;
