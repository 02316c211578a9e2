// Question: the same as delete-flows.cypher, with both ends looked up by key as in ingest/read-facts.neo4j.cypher.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[f:FLOW]->(b)
DELETE f
RETURN count(f) AS deleted
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[f:FLOW]->(b)
DELETE f
RETURN count(f) AS deleted
