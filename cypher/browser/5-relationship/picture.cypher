// Relationship: the two and all between them, as a picture
// Direct flows and shared counterparties that are not services.
// :param a => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param b => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (a:Address {key: $a}), (b:Address {key: $b})
CALL (a, b) {
  MATCH p = (a)-[:FLOW]-(b) RETURN p, 0.0 AS usd
  UNION
  MATCH p = (a)-[fa:FLOW]-(c:Address)-[fb:FLOW]-(b)
  WHERE c <> a AND c <> b AND NOT coalesce(c.category, '') IN ['bridge', 'exchange', 'dex', 'dex_router', 'gambling', 'mixer']
  RETURN p, CASE WHEN fa.usd < fb.usd THEN fa.usd ELSE fb.usd END AS usd
}
RETURN p
ORDER BY usd DESC
LIMIT 200;
