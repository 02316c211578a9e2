// Question: from which categories did these addresses receive money directly?
// Params: $items (list of {key: `chain:address`, recent_since: epoch ms}), $takers (categories of those who take from victims)
// Rows: one for each address and category of the other side (empty: unlabelled, or a CoinJoin, which is not a service), for each
//       sanctioned party by itself: key, category, party and last_at (nulls for others),
//       usd, returned_usd (of takers, no more than they were paid before), tx_count, unpriced_count; recent_usd of pairs that began
//       since then, active_usd of pairs that were active since then
UNWIND $items AS item
MATCH (a:Address {key: item.key})<-[f:FLOW]-(c:Address)
CALL (a, c, f) {
  WITH a, c, f WHERE c.category IN $takers
  MATCH (a)-[l:FLOW]->(c)
  WHERE l.first_at < f.last_at
  RETURN collect(l.usd) AS paid
}
WITH item, a, f, c, paid[0] AS paid_usd
RETURN a.key AS key, CASE WHEN c.address STARTS WITH 'coinjoin:' THEN '' ELSE coalesce(c.category, '') END AS category,
       CASE WHEN c.category = 'sanctioned' THEN c.address END AS party, max(CASE WHEN c.category = 'sanctioned' THEN f.last_at END) AS last_at,
       sum(coalesce(f.usd, 0.0)) AS usd,
       sum(CASE WHEN paid_usd IS NULL THEN 0.0 WHEN paid_usd < f.usd THEN paid_usd ELSE f.usd END) AS returned_usd,
       sum(f.tx_count) AS tx_count, sum(f.unpriced_count) AS unpriced_count,
       sum(CASE WHEN f.first_at >= item.recent_since THEN coalesce(f.usd, 0.0) ELSE 0.0 END) AS recent_usd,
       sum(CASE WHEN f.last_at >= item.recent_since THEN coalesce(f.usd, 0.0) ELSE 0.0 END) AS active_usd
ORDER BY key, category, party
