// Question: which of these addresses does the graph hold? Nothing may change them before the transaction ends. A part of
//           other statements.
// Params: $key: keys of addresses, sorted
// Rows: a
UNWIND $key AS key
MATCH (a:Address {key: key})
