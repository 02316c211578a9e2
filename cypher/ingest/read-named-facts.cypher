// Question: which transfers of these transactions does the graph hold between these ordered pairs?
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for read-facts; $named: map from hash to true
// Rows: from, to, properties (of one transfer)
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
WITH a, b, t, $named[t.tx_hash] AS named WHERE named IS NOT NULL
RETURN a.key AS from, b.key AS to, properties(t) AS properties
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
WITH a, b, t, $named[t.tx_hash] AS named WHERE named IS NOT NULL
RETURN a.key AS from, b.key AS to, properties(t) AS properties
