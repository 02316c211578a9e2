// Question: which single transfers went from one address of each pair to the other?
// Params: $pairs (list of {from, to} keys), $min_usd (smallest transfer; 0 keeps unpriced ones), $from, $until
//         (first and last moment, epoch ms), $per_pair (largest first)
// Rows: from_key, to_key and the transfer
UNWIND $pairs AS pair
MATCH (a:Address {key: pair.from})
MATCH (b:Address {key: pair.to})
CALL (a, b) {
  // From the end with fewer counterparties: the edges of the end that is written first are looked at.
  CALL (a, b) {
    WITH a, b WHERE a.degree_out <= b.degree_in
    MATCH (a)-[t:TRANSFER]->(b)
    RETURN t
    UNION ALL
    WITH a, b WHERE a.degree_out > b.degree_in
    MATCH (b)<-[t:TRANSFER]-(a)
    RETURN t
  }
  WITH t
  WHERE coalesce(t.usd, 0) >= $min_usd AND t.at >= $from AND t.at <= $until
  RETURN t
  ORDER BY coalesce(t.usd, 0) DESC, t.id
  LIMIT $per_pair
}
RETURN a.key AS from_key, b.key AS to_key, t.id AS id, t.tx_hash AS tx_hash, t.index AS index, t.seq AS seq,
       t.at AS at, t.block AS block, t.position AS position, t.usd AS usd, t.asset AS asset, t.token AS token, t.amount AS amount,
       t.destination_tag AS destination_tag, t.source_tag AS source_tag
ORDER BY from_key, to_key, at, id
