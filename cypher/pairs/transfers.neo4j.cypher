// Question: the same as transfers.cypher. The engine chooses the smaller end by itself, but looks both up by key only
//           where a hint says so: with the stale statistics of a young graph it would scan all addresses for each pair.
// Params: the same
// Rows: the same
UNWIND $pairs AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
