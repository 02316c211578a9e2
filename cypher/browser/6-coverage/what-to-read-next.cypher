// Coverage: what to read next
// Addresses up to three hops away whose own history was not read: the ways end there, or pass on what little is known.
// The largest flows first. Scan them, or trace the address, and ask again.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param min_usd => 0
// :param limit => 50
MATCH (a:Address {key: $address})
CALL (a) {
  MATCH (a) ((near:Address)<-[f:FLOW WHERE f.usd > $min_usd]-(far:Address)){1,3} (end:Address)
  WHERE none(n IN far WHERE n = a OR coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  RETURN end, size(f) AS hops, 'received' AS direction,
         reduce(narrowest = f[0].usd, x IN f | CASE WHEN x.usd < narrowest THEN x.usd ELSE narrowest END) AS usd
  UNION ALL
  MATCH (a) ((near:Address)-[f:FLOW WHERE f.usd > $min_usd]->(far:Address)){1,3} (end:Address)
  WHERE none(n IN far WHERE n = a OR coalesce(n.category, '') IN ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'])
  RETURN end, size(f) AS hops, 'sent' AS direction,
         reduce(narrowest = f[0].usd, x IN f | CASE WHEN x.usd < narrowest THEN x.usd ELSE narrowest END) AS usd
}
WITH end, direction, min(hops) AS hops, max(usd) AS usd
WHERE end.scanned_at IS NULL AND size(coalesce(end.read_lists, [])) = 0
RETURN end.key AS address, direction, hops, round(usd, 2) AS usd
ORDER BY usd DESC, address, direction
LIMIT toInteger($limit);
