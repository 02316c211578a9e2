// Address: what the graph knows of it
// Change the parameter to `<chain>:<address>`; EVM addresses in lower case. One row, none for an unknown address.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
MATCH (a:Address {key: $address})
OPTIONAL MATCH (a)-[:BELONGS_TO]->(owner:Entity)
CALL (a) { MATCH (a)<-[f:FLOW]-(:Address) RETURN sum(f.usd) AS received_usd }
CALL (a) { MATCH (a)-[f:FLOW]->(:Address) RETURN sum(f.usd) AS sent_usd }
RETURN a.chain AS chain, a.address AS address, a.category AS category, a.label AS label, a.label_source AS label_source,
       owner.name AS owner,
       CASE WHEN a.first_seen_at IS NOT NULL THEN toString(datetime({epochMillis: a.first_seen_at})) END AS first_seen_at,
       CASE WHEN a.last_seen_at IS NOT NULL THEN toString(datetime({epochMillis: a.last_seen_at})) END AS last_seen_at,
       CASE WHEN a.scanned_at IS NOT NULL THEN toString(datetime({epochMillis: a.scanned_at})) END AS scanned_at,
       a.scan_complete AS scan_complete,
       received_usd, sent_usd, a.degree_in AS payers, a.degree_out AS payees;
