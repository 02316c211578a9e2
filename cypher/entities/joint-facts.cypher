// Question: in which transactions did these addresses spend, where several spent together as one owner?
// Params: $key: keys of addresses
// Rows: key, tx_hash, at
UNWIND $key AS key
MATCH (a:Address {key: key})
MATCH (a)-[t:TRANSFER]->(:Address)
WHERE t.joint
RETURN DISTINCT a.key AS key, t.tx_hash AS tx_hash, t.at AS at
