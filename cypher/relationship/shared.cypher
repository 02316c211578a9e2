// Question: with whom did both addresses deal, the most valuable to both first, and what did each send and receive?
// Params: $a, $b (`chain:address`), $breadth (dealings of each of the two, the largest), $nobody (addresses left out),
//         $services (categories), $busy (counterparties from which on a service is busy), $limit (shown)
// Rows: one for busy services and one for all others, each only where there are any: busy, total, others (all but services),
//       shared (the first of them: key, category, label, dealings: [with_a, sent, usd, tx_count, first_at, last_at, tx_hash])
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
WHERE NOT c.key IN [$a, $b] AND NOT c.address IN $nobody
WITH c, sum(CASE WHEN with_a THEN f.usd ELSE 0.0 END) AS a_usd, sum(CASE WHEN with_a THEN 0.0 ELSE f.usd END) AS b_usd,
     sum(CASE WHEN with_a THEN 1 ELSE 0 END) AS a_count, sum(CASE WHEN with_a THEN 0 ELSE 1 END) AS b_count,
     collect([with_a, sent, CASE WHEN f.unpriced_count < f.tx_count THEN f.usd END, f.tx_count, f.first_at, f.last_at, f.top_tx_hash]) AS dealings
WHERE a_count > 0 AND b_count > 0
WITH c, dealings, CASE WHEN a_usd < b_usd THEN a_usd ELSE b_usd END AS usd, coalesce(c.category, '') IN $services AS service
WITH c, dealings, usd, service, service AND coalesce(c.degree_in, 0) + coalesce(c.degree_out, 0) >= $busy AS busy
ORDER BY usd DESC, c.key
WITH busy, count(c) AS total, sum(CASE WHEN service THEN 0 ELSE 1 END) AS others,
     collect([c.key, c.category, c.label, dealings]) AS shared
RETURN busy, total, others, shared[0..$limit] AS shared
ORDER BY busy
