// Question: which roll-up (FLOW) leads from the first address of each of these pairs to the second? A part of other statements.
//           To find a pair costs the edges of the end that is expanded, the one that is written first: the smaller one.
// Params: $pairs: list of [from key, to key]
// Rows: pair, its ends a and b, f
UNWIND $pairs AS pair
MATCH (a:Address {key: pair[0]})
MATCH (b:Address {key: pair[1]})
CALL (a, b) {
  WITH a, b WHERE a.degree_out <= b.degree_in
  MATCH (a)-[f:FLOW]->(b)
  RETURN f
  UNION ALL
  WITH a, b WHERE a.degree_out > b.degree_in
  MATCH (b)<-[f:FLOW]-(a)
  RETURN f
}
