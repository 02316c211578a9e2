// Transfers: the single movements behind a flow
// Every transfer from one address to another in the order of time, with its transaction.
// :param from => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param to => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (:Address {key: $from})-[t:TRANSFER]->(:Address {key: $to})
RETURN toString(datetime({epochMillis: t.at})) AS at, t.asset AS asset, t.amount AS amount, t.usd AS usd,
       t.tx_hash AS tx_hash, t.index AS index, t.id AS id
ORDER BY t.at, t.block, t.position, coalesce(t.seq, 0), t.id
LIMIT 1000;
