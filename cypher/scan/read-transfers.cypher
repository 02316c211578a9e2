// Question: which transfers of an address does the graph hold, newest first?
// Params: $key (`chain:address`), $limit
// Rows: the transfer's properties with from and to
MATCH (a:Address {key: $key})
CALL (a) {
  MATCH (a)-[t:TRANSFER]->(b:Address)
  RETURN t, a.address AS from_address, b.address AS to_address
  UNION
  MATCH (a)<-[t:TRANSFER]-(b:Address)
  RETURN t, b.address AS from_address, a.address AS to_address
}
RETURN properties(t) AS transfer, from_address, to_address
ORDER BY transfer.at DESC, transfer.id
LIMIT $limit
