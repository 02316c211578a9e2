// Question: the same as update-flows.cypher, with both ends looked up by key. While the statistics of a young graph are stale,
// the planner would scan all addresses for each pair. The engine chooses which end to expand, by its degree.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[f:FLOW]->(b)
WITH f, $flow[pair[0] + ' ' + pair[1]] AS flow
SET f = flow
RETURN count(f) AS updated
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[f:FLOW]->(b)
WITH f, $flow[pair[0] + ' ' + pair[1]] AS flow
SET f = flow
RETURN count(f) AS updated
