// Question: which transfers of an address did a chain source give?
// Params: $key; $source: the source, null for any; $before (epoch ms): only what was read earlier, null for all
// Rows: from, to (keys), id, tx_hash, index, at, kind, token, token_id, amount; other_is_read: its other end was read.
//       In no order
MATCH (a:Address {key: $key})
MATCH (a)-[t:TRANSFER]->(b:Address)
WHERE t.source IS NOT NULL AND ($source IS NULL OR t.source = $source) AND ($before IS NULL OR t.read_at < $before)
RETURN a.key AS from, b.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.index AS index, t.at AS at, t.kind AS kind,
  t.token AS token, t.token_id AS token_id, t.amount AS amount, b.read_lists IS NOT NULL AS other_is_read
UNION ALL
MATCH (a:Address {key: $key})
MATCH (a)<-[t:TRANSFER]-(b:Address)
WHERE b.key <> $key AND t.source IS NOT NULL AND ($source IS NULL OR t.source = $source)
  AND ($before IS NULL OR t.read_at < $before)
RETURN b.key AS from, a.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.index AS index, t.at AS at, t.kind AS kind,
  t.token AS token, t.token_id AS token_id, t.amount AS amount, b.read_lists IS NOT NULL AS other_is_read
