// Question: which transfers does the graph hold between these ordered pairs?
// Params: $by_sender, $by_receiver: pairs [from key, to key], each pair in the list of its end with fewer edges, because the
// cost is the degree of the end that is expanded: the first that is matched
// Rows: from, to, properties (of one transfer)
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, properties(t) AS properties
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
RETURN a.key AS from, b.key AS to, properties(t) AS properties
