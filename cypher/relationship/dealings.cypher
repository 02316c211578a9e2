// Question: what did two addresses do with each other, and with which others did both deal, the most valuable to both first?
// Params: $a, $b (`chain:address`), $breadth (dealings of each of the two, the largest), $no_parties (addresses left out),
//         $services (categories), $busy (counterparties from which on a service is busy), $limit (shown)
// Rows: one, or none where either is unknown: entity ids, how many dealings each has with anyone, a_to_b and b_to_a: the
//       roll-up of each direction, [usd, tx_count, first_at, last_at] (null: none), and groups: at most one of busy services and one of all others, each
//       [busy, total, others (all but services), shared (the first: [key, category, label, dealings: [with_a, sent, usd,
//       tx_count, first_at, last_at]])]
UNWIND [$a, $b] AS key
MATCH (n:Address {key: key})
CALL (n) {
  CALL (n) {
    MATCH (n)-[f:FLOW]->(c:Address)
    RETURN c, f, true AS sent
    UNION ALL
    MATCH (n)<-[f:FLOW]-(c:Address)
    RETURN c, f, false AS sent
  }
  WITH c, f, sent
  ORDER BY f.usd DESC, c.key, sent
  LIMIT $breadth
  RETURN c, f, sent
}
WITH c, f, sent, key = $a AS with_a
WHERE NOT c.key IN [$a, $b] AND NOT c.address IN $no_parties
WITH c, sum(CASE WHEN with_a THEN f.usd ELSE 0.0 END) AS a_usd, sum(CASE WHEN with_a THEN 0.0 ELSE f.usd END) AS b_usd,
     sum(CASE WHEN with_a THEN 1 ELSE 0 END) AS a_count, sum(CASE WHEN with_a THEN 0 ELSE 1 END) AS b_count,
     collect([with_a, sent, CASE WHEN f.unpriced_count < f.tx_count THEN f.usd END, f.tx_count, f.first_at, f.last_at]) AS dealings
WHERE a_count > 0 AND b_count > 0
WITH c, dealings, CASE WHEN a_usd < b_usd THEN a_usd ELSE b_usd END AS usd, coalesce(c.category, '') IN $services AS service
WITH c, dealings, usd, service, service AND coalesce(c.degree_in, 0) + coalesce(c.degree_out, 0) >= $busy AS busy
ORDER BY usd DESC, c.key
WITH busy, count(c) AS total, sum(CASE WHEN service THEN 0 ELSE 1 END) AS others,
     collect([c.key, c.category, c.label, dealings]) AS shared
WITH collect([busy, total, others, shared[0..$limit]]) AS groups
MATCH (a:Address {key: $a}), (b:Address {key: $b})
OPTIONAL MATCH (a)-[f:FLOW]->(b)
OPTIONAL MATCH (b)-[g:FLOW]->(a)
RETURN a.entity_id AS entity_a, b.entity_id AS entity_b,
       coalesce(a.degree_in, 0) + coalesce(a.degree_out, 0) AS degree_a, coalesce(b.degree_in, 0) + coalesce(b.degree_out, 0) AS degree_b,
       CASE WHEN f IS NOT NULL THEN [CASE WHEN f.unpriced_count < f.tx_count THEN f.usd END, f.tx_count, f.first_at, f.last_at] END AS a_to_b,
       CASE WHEN g IS NOT NULL THEN [CASE WHEN g.unpriced_count < g.tx_count THEN g.usd END, g.tx_count, g.first_at, g.last_at] END AS b_to_a,
       groups
