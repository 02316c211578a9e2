// Relationship: did the two deal with each other, and have they one owner?
// One row, none where either is unknown; null means no transfer in that direction.
// :param a => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param b => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (a:Address {key: $a}), (b:Address {key: $b})
OPTIONAL MATCH (a)-[ab:FLOW]->(b)
OPTIONAL MATCH (b)-[ba:FLOW]->(a)
RETURN ab.usd AS a_to_b_usd, ab.tx_count AS a_to_b_count, ab.top_tx_hash AS a_to_b_tx_hash,
       ba.usd AS b_to_a_usd, ba.tx_count AS b_to_a_count, ba.top_tx_hash AS b_to_a_tx_hash,
       coalesce(a.entity_id = b.entity_id, false) AS same_owner;
