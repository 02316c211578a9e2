// Question: to which categories did these addresses send money directly?
// Params: $keys (list of `chain:address`), $recent_since (epoch ms)
// Rows: one for each address and category of the other side (empty: unlabelled): key, category, usd, unpriced_count;
//       recent_usd of pairs that began since then, active_usd of pairs that were active since then
UNWIND $keys AS key
MATCH (a:Address {key: key})-[f:FLOW]->(c:Address)
RETURN a.key AS key, coalesce(c.category, '') AS category, sum(coalesce(f.usd, 0.0)) AS usd, sum(f.unpriced_count) AS unpriced_count,
       sum(CASE WHEN f.first_at >= $recent_since THEN coalesce(f.usd, 0.0) ELSE 0.0 END) AS recent_usd,
       sum(CASE WHEN f.last_at >= $recent_since THEN coalesce(f.usd, 0.0) ELSE 0.0 END) AS active_usd
ORDER BY key, category
