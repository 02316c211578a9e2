// Question: which calls made these transfers?
// Params: $items (list of {from, to, id}: keys of the ends, id of the transfer)
// Rows: id, method (none for a transfer whose call is not known)
UNWIND $items AS item
MATCH (a:Address {key: item.from})
MATCH (a)-[t:TRANSFER]->(b:Address)
WHERE b.key = item.to AND t.id = item.id AND t.method IS NOT NULL
RETURN t.id AS id, t.method AS method
