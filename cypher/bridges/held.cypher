// Question: which crossings that end at this address have to do with these messages and transactions?
// Params: $key, $all (true: all of them), $ids (of messages), $txs (transactions of either side, or of a likely receipt)
// Rows: one for each crossing: from, to (keys), properties (of the BRIDGED), in the order of their ids
MATCH (a:Address {key: $key})
MATCH (a)<-[b:BRIDGED]-(o:Address)
WHERE $all OR b.message_id IN $ids OR b.tx_in IN $txs OR any(tx IN $txs WHERE b.source CONTAINS tx)
RETURN o.key AS from, a.key AS to, properties(b) AS properties
ORDER BY b.id
