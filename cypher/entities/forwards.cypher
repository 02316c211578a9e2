// Question: what did an address receive and send, and who are the others?
// Params: $key: key of the address, $limit
// Rows: direction (`sent`, `received`), far (key), category, label (null: none), token (null: the coin), signer (who paid the fee;
// null: unknown), tx_hash, at; oldest first
MATCH (a:Address {key: $key})
CALL (a) {
  MATCH (a)-[t:TRANSFER]->(c:Address)
  RETURN c, t, 'sent' AS direction
  UNION ALL
  MATCH (a)<-[t:TRANSFER]-(c:Address)
  RETURN c, t, 'received' AS direction
}
RETURN direction, c.key AS far, c.category AS category, c.label AS label, t.token AS token,
  coalesce(t.fee_payer, t.tx_sender) AS signer, t.tx_hash AS tx_hash, t.at AS at
ORDER BY at, tx_hash, far, direction
LIMIT $limit
