// Question: what do the roll-ups (FLOW) of these ordered pairs rest on?
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for ingest/read-facts
// Rows: from, to, id, tx_hash, at, asset, usd (null: not known) of one transfer
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.at AS at, t.asset AS asset, t.usd AS usd
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
RETURN a.key AS from, b.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.at AS at, t.asset AS asset, t.usd AS usd
