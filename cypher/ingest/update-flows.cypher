// Question: replace the roll-up (FLOW) of ordered pairs whose transfers changed.
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for read-facts; $flow: map from `<from key> <to key>` to the
// properties of the FLOW
// Rows: updated: number of pairs, one row for each list
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[f:FLOW]->(b)
WITH f, $flow[pair[0] + ' ' + pair[1]] AS flow
SET f = flow
RETURN count(f) AS updated
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[f:FLOW]-(a)
WITH f, $flow[pair[0] + ' ' + pair[1]] AS flow
SET f = flow
RETURN count(f) AS updated
