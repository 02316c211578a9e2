// Question: how many transfers do addresses send to others, or receive from others?
// Params: $sides: list of [key, `sent` or `received`]
// Rows: one for each side that has some: key, side, transfers
UNWIND $sides AS side
MATCH (a:Address {key: side[0]})
CALL (a, side) {
  WITH a, side WHERE side[1] = 'sent'
  MATCH (a)-[f:FLOW]->(:Address)
  RETURN f
  UNION ALL
  WITH a, side WHERE side[1] = 'received'
  MATCH (a)<-[f:FLOW]-(:Address)
  RETURN f
}
RETURN a.key AS key, side[1] AS side, sum(f.tx_count) AS transfers
