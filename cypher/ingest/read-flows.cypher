// Question: what are the roll-ups (FLOW) of these ordered pairs?
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for read-facts
// Rows: from, to, properties (of the FLOW)
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[f:FLOW]->(b)
RETURN a.key AS from, b.key AS to, properties(f) AS properties
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[f:FLOW]-(a)
RETURN a.key AS from, b.key AS to, properties(f) AS properties
