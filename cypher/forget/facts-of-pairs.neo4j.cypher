// Question: the same as facts-of-pairs.cypher, with both ends looked up by key as in ingest/read-facts.neo4j.cypher.
// Params: the same
// Rows: the same
UNWIND $by_sender AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.at AS at, t.asset AS asset, t.usd AS usd
UNION ALL
UNWIND $by_receiver AS pair
MATCH (a:Address {key: pair[0]}) USING INDEX SEEK a:Address(key)
MATCH (b:Address {key: pair[1]}) USING INDEX SEEK b:Address(key)
MATCH (a)-[t:TRANSFER]->(b)
RETURN a.key AS from, b.key AS to, t.id AS id, t.tx_hash AS tx_hash, t.at AS at, t.asset AS asset, t.usd AS usd
