// Question: how many payees and payers do addresses have?
// Params: $key: keys of addresses
// Rows: one for each known address: key, degree_in, degree_out
UNWIND $key AS key
MATCH (a:Address {key: key})
RETURN a.key AS key, a.degree_in AS degree_in, a.degree_out AS degree_out
