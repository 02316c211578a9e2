// Question: the same as delete-transfers.cypher, with both ends looked up by key as in ingest/read-facts.neo4j.cypher.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
WITH t, $gone[pair[0] + ' ' + pair[1] + ' ' + t.id] AS gone WHERE gone IS NOT NULL
DELETE t
RETURN count(t) AS deleted
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
WITH t, $gone[pair[0] + ' ' + pair[1] + ' ' + t.id] AS gone WHERE gone IS NOT NULL
DELETE t
RETURN count(t) AS deleted
