// Question: which transfers do addresses send, or receive? A part of other statements.
// Params: $ends: list of [key, `sent` or `received`]
// Rows: t, payer
UNWIND $ends AS side
MATCH (a:Address {key: side[0]})
CALL (a, side) {
  WITH a, side WHERE side[1] = 'sent'
  MATCH (a)-[t:TRANSFER]->(:Address)
  RETURN t, a AS payer
  UNION ALL
  WITH a, side WHERE side[1] = 'received'
  MATCH (a)<-[t:TRANSFER]-(c:Address)
  RETURN t, c AS payer
}
