// Question: when do the transfers of these addresses to themselves begin and end? They have no FLOW.
// Params: $key: keys of addresses
// Rows: key, first_at, last_at; none for an address without such a transfer
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(a)
RETURN key, min(t.at) AS first_at, max(t.at) AS last_at
