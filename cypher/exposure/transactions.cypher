// Question: which other transfers have these addresses in these transactions?
// Params: $items (list of {key: `chain:address`, from, to (times, epoch ms), named: map from transaction
//         hash to true}), $most (counterparties of an address: one with more is left out)
// Rows: one per transfer, none to itself, in no order: key, received (true where the address received it), transfer: a list as in open
UNWIND $items AS item
MATCH (a:Address {key: item.key})
WHERE coalesce(a.degree_out, 0) <= $most
MATCH (a)-[t:TRANSFER]->(b:Address)
WHERE t.at >= item.from AND t.at <= item.to AND item.named[t.tx_hash] IS NOT NULL AND b.key <> a.key
RETURN a.key AS key, false AS received,
       [b.key, b.category, b.label, b.is_contract, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position, t.usd, t.asset, t.amount,
        t.token, t.token_id, t.destination_tag, t.source_tag, null, t.tx_sender] AS transfer
UNION ALL
UNWIND $items AS item
MATCH (a:Address {key: item.key})
WHERE coalesce(a.degree_in, 0) <= $most
MATCH (a)<-[t:TRANSFER]-(b:Address)
WHERE t.at >= item.from AND t.at <= item.to AND item.named[t.tx_hash] IS NOT NULL AND b.key <> a.key
RETURN a.key AS key, true AS received,
       [b.key, b.category, b.label, b.is_contract, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position, t.usd, t.asset, t.amount,
        t.token, t.token_id, t.destination_tag, t.source_tag, null, t.tx_sender] AS transfer
