// Question: which addresses got the change of these, and of which do these hold the change? An address that was paid before is not change,
// and strangers who paid together have none.
// Params: $key: keys of addresses
// Rows: near (of these), far, tx_hash, at
UNWIND $key AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[t:TRANSFER]->(b:Address)
  WHERE t.change AND coalesce(t.joint, true) AND coalesce(b.first_seen_at, t.at) >= t.at
  RETURN b.key AS far, t.tx_hash AS tx_hash, t.at AS at
  UNION ALL
  MATCH (b:Address)-[t:TRANSFER]->(a)
  WHERE t.change AND coalesce(t.joint, true) AND coalesce(a.first_seen_at, t.at) >= t.at
  RETURN b.key AS far, t.tx_hash AS tx_hash, t.at AS at
}
RETURN DISTINCT key AS near, far, tx_hash, at
