// Question: what was each of these addresses paid within a day of its first receipt, where its own history was read in full and
// $payer paid it first?
// Params: $keys (list of `chain:address`), $payer (`chain:address`), $day_ms
// Rows: key, usd, is_first ($payer's first payment), is_other (of another payer), is_own_coin (the chain's coin, sent by its payer itself)
UNWIND $keys AS key
MATCH (p:Address)-[f:FLOW]->(a:Address {key: key})
WHERE a.scan_complete = true
WITH a, min(f.first_at) AS earliest
MATCH (s:Address {key: $payer})-[f:FLOW]->(a)
WHERE f.first_at = earliest
MATCH (p:Address)-[t:TRANSFER]->(a)
WHERE t.at >= earliest AND t.at <= earliest + $day_ms AND p.key <> a.key
RETURN a.key AS key, t.usd AS usd,
  p.key = $payer AND t.at = earliest AS is_first,
  p.key <> $payer AS is_other,
  t.token IS NULL AND (t.tx_sender IS NULL OR t.tx_sender = p.address) AS is_own_coin
ORDER BY key, usd, is_first
