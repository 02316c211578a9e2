// Question: delete some of the transfers between these ordered pairs.
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for ingest/read-facts; $gone: map from
// `<from key> <to key> <transfer id>` to true
// Rows: deleted: number of transfers, one row for each list
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
WITH t, $gone[pair[0] + ' ' + pair[1] + ' ' + t.id] AS gone WHERE gone IS NOT NULL
DELETE t
RETURN count(t) AS deleted
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
WITH t, $gone[pair[0] + ' ' + pair[1] + ' ' + t.id] AS gone WHERE gone IS NOT NULL
DELETE t
RETURN count(t) AS deleted
