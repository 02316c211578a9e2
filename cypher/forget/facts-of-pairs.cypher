// Question: what do the roll-ups (FLOW) of these ordered pairs rest on?
// Params: $pairs (list of [from key, to key])
// Rows: from, to, id, tx_hash, at, asset, token, usd (nulls: not known) of one transfer
// Part: pairs/transfers
RETURN a.key AS from, b.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.at AS at, t.asset AS asset, t.token AS token,
  t.usd AS usd
