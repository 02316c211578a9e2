// Question: when do the transfers with others begin and end that the graph holds of these addresses?
// Params: $key: keys of addresses
// Rows: key, first_at, last_at (null: no transfer with another address)
UNWIND $key AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[f:FLOW]-(:Address)
  RETURN min(f.first_at) AS first_at, max(f.last_at) AS last_at
}
RETURN key, first_at, last_at
