// Question: what does the graph hold of the direct dealings of two addresses?
// Params: $a, $b (`chain:address`)
// Rows: one, or none where either is unknown: entity ids, how many dealings each has with anyone, and the
//       roll-up of each direction between the two (null: none)
MATCH (a:Address {key: $a}), (b:Address {key: $b})
OPTIONAL MATCH (a)-[f:FLOW]->(b)
OPTIONAL MATCH (b)-[g:FLOW]->(a)
RETURN a.entity_id AS entity_a, b.entity_id AS entity_b,
       coalesce(a.degree_in, 0) + coalesce(a.degree_out, 0) AS degree_a, coalesce(b.degree_in, 0) + coalesce(b.degree_out, 0) AS degree_b,
       CASE WHEN f.unpriced_count < f.tx_count THEN f.usd END AS a_usd, f.tx_count AS a_tx_count, f.first_at AS a_first_at, f.last_at AS a_last_at, f.top_tx_hash AS a_tx_hash,
       CASE WHEN g.unpriced_count < g.tx_count THEN g.usd END AS b_usd, g.tx_count AS b_tx_count, g.first_at AS b_first_at, g.last_at AS b_last_at, g.top_tx_hash AS b_tx_hash
