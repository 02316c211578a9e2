// Question: delete the roll-up (FLOW) of ordered pairs that have no transfer left.
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for ingest/read-facts
// Rows: deleted: number of pairs, one row for each list
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[f:FLOW]->(b)
DELETE f
RETURN count(f) AS deleted
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[f:FLOW]-(a)
DELETE f
RETURN count(f) AS deleted
