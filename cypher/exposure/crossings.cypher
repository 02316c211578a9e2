// Question: by which bridges did money leave these addresses or reach them, largest first?
// Params: $keys (`chain:address`), $most (crossings of each address and side)
// Rows: one for each crossing, twice if both of its ends were asked for: from, to (keys), from_category, from_label, to_category,
//       to_label, id, match, reason, ambiguous, looked_up_at, source and destination (what each side states, as JSON; null: not known)
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)-[b:BRIDGED]->(o:Address)
  RETURN b, o
  ORDER BY coalesce(b.usd, 0) DESC, b.id
  LIMIT $most
}
RETURN a.key AS from, o.key AS to, a.category AS from_category, a.label AS from_label, o.category AS to_category,
       o.label AS to_label, b.id AS id, b.`match` AS `match`, b.reason AS reason, b.ambiguous AS ambiguous,
       b.looked_up_at AS looked_up_at, b.source AS source, b.destination AS destination
UNION ALL
UNWIND $keys AS key
MATCH (a:Address {key: key})
CALL (a) {
  MATCH (a)<-[b:BRIDGED]-(o:Address)
  RETURN b, o
  ORDER BY coalesce(b.usd, 0) DESC, b.id
  LIMIT $most
}
RETURN o.key AS from, a.key AS to, o.category AS from_category, o.label AS from_label, a.category AS to_category,
       a.label AS to_label, b.id AS id, b.`match` AS `match`, b.reason AS reason, b.ambiguous AS ambiguous,
       b.looked_up_at AS looked_up_at, b.source AS source, b.destination AS destination
