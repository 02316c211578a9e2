// Question: the same as read-named-facts.cypher, with both ends looked up by key as in read-facts.neo4j.cypher.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
WITH a, b, t, $named[t.tx_hash] AS named WHERE named IS NOT NULL
RETURN a.key AS from, b.key AS to, properties(t) AS properties
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
WITH a, b, t, $named[t.tx_hash] AS named WHERE named IS NOT NULL
RETURN a.key AS from, b.key AS to, properties(t) AS properties
