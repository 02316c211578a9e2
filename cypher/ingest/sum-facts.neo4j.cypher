// Question: the same as sum-facts.cypher, with both ends looked up by key as in read-facts.neo4j.cypher.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, count(t) AS tx_count, min(t.at) AS first_at, max(t.at) AS last_at,
  collect(DISTINCT t.asset) AS assets, collect(t.usd) AS usd
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, count(t) AS tx_count, min(t.at) AS first_at, max(t.at) AS last_at,
  collect(DISTINCT t.asset) AS assets, collect(t.usd) AS usd
