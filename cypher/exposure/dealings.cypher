// Question: which transfers lead from the first address of each of these pairs to the second, up to a moment, newest first?
// Params: $pairs (list of [from key, to key]), $until (epoch ms), $most (rows)
// Rows: one per transfer: key (of its sender), transfer: a list as in open
// Part: pairs/transfers
WITH a, b, t
WHERE t.at <= $until
RETURN a.key AS key,
       [b.key, b.category, b.label, b.is_contract, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position, t.usd, t.asset, t.amount,
        t.token, t.token_id, t.destination_tag, t.source_tag, null, t.tx_sender] AS transfer
ORDER BY t.at DESC, t.id
LIMIT $most
