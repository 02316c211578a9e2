// Relationship: did the two deal with each other, and have they one owner?
// One row, none where either is unknown; null means no transfer in that direction.
// :param a => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param b => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (a:Address {key: $a}), (b:Address {key: $b})
OPTIONAL MATCH (a)-[ab:FLOW]->(b)
OPTIONAL MATCH (b)-[ba:FLOW]->(a)
CALL (a, b) {
  OPTIONAL MATCH (a)-[t:TRANSFER]->(b)
  RETURN t.tx_hash AS a_to_b_tx_hash ORDER BY coalesce(t.usd, -1.0) DESC, t.at, t.id LIMIT 1
}
CALL (a, b) {
  OPTIONAL MATCH (b)-[t:TRANSFER]->(a)
  RETURN t.tx_hash AS b_to_a_tx_hash ORDER BY coalesce(t.usd, -1.0) DESC, t.at, t.id LIMIT 1
}
RETURN ab.usd AS a_to_b_usd, ab.tx_count AS a_to_b_count, a_to_b_tx_hash,
       ba.usd AS b_to_a_usd, ba.tx_count AS b_to_a_count, b_to_a_tx_hash,
       coalesce(a.entity_id = b.entity_id, false) AS same_owner;
