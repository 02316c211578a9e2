// Question: the same as first-of-value.cypher, with both ends looked up by key as in read-facts.neo4j.cypher.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
WITH a, b, t WHERE coalesce(t.usd, -1.0) = $usd
WITH a, b, t ORDER BY t.at, t.id LIMIT 1
RETURN a.key AS from, b.key AS to, t.tx_hash AS tx_hash
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
WITH a, b, t WHERE coalesce(t.usd, -1.0) = $usd
WITH a, b, t ORDER BY t.at, t.id LIMIT 1
RETURN a.key AS from, b.key AS to, t.tx_hash AS tx_hash
