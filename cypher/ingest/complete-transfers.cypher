// Question: which known transfers get properties that were unknown: a price, a position, a fee?
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for read-facts; $known: map from transfer id to the
// properties to add
// Rows: added: number of transfers, one row for each list
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
WITH t, $known[t.id] AS known WHERE known IS NOT NULL
SET t += known
RETURN count(t) AS added
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
WITH t, $known[t.id] AS known WHERE known IS NOT NULL
SET t += known
RETURN count(t) AS added
