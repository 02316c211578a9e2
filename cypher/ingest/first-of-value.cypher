// Question: which is the earliest transfer of this value between an ordered pair?
// Params: $by_sender, $by_receiver: the one pair [from key, to key] as for read-facts, in one of them; $usd (-1: without a
// price)
// Rows: at most one: from, to, tx_hash
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
WITH a, b, t WHERE coalesce(t.usd, -1.0) = $usd
WITH a, b, t ORDER BY t.at, t.id LIMIT 1
RETURN a.key AS from, b.key AS to, t.tx_hash AS tx_hash
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
WITH a, b, t WHERE coalesce(t.usd, -1.0) = $usd
WITH a, b, t ORDER BY t.at, t.id LIMIT 1
RETURN a.key AS from, b.key AS to, t.tx_hash AS tx_hash
