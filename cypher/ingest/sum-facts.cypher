// Question: what do all transfers of each of these ordered pairs add up to? One row instead of thousands.
// Params: $by_sender, $by_receiver: pairs [from key, to key] as for read-facts
// Rows: from, to, tx_count, first_at, last_at, assets (symbols, in no order), usd (of each priced transfer, in no order)
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, count(t) AS tx_count, min(t.at) AS first_at, max(t.at) AS last_at,
  collect(DISTINCT t.asset) AS assets, collect(t.usd) AS usd
UNION ALL
UNWIND $by_receiver AS pair
MATCH (b:Address {key: pair[1]})
MATCH (a:Address {key: pair[0]})
MATCH (b)<-[t:TRANSFER]-(a)
RETURN a.key AS from, b.key AS to, count(t) AS tx_count, min(t.at) AS first_at, max(t.at) AS last_at,
  collect(DISTINCT t.asset) AS assets, collect(t.usd) AS usd
