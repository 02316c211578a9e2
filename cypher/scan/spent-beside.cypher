// Question: what did others put into the transactions of Bitcoin that an address paid in, as far as the graph holds them?
// Params: $key (`chain:address`), $most (payers of a receiver that are looked at: one with more is left out), $limit
// Rows: the transfer's properties with from and to; one that shares several receivers with the address may come more than once
MATCH (a:Address {key: $key})-[own:TRANSFER]->(c:Address)
WHERE own.apportioned AND coalesce(c.degree_in, 0) <= $most
MATCH (c)<-[t:TRANSFER]-(b:Address)
WHERE t.tx_hash = own.tx_hash AND b.key <> $key
RETURN properties(t) AS transfer, b.address AS from_address, c.address AS to_address
LIMIT $limit
