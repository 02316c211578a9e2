// Question: the same as lock-ends.cypher, where writes run concurrently. Setting a property to itself locks the node before that
// property is read; the list keeps the planner from reading the others earlier, when another batch may still change them.
// All batches lock in the order of the keys, so that two of them cannot deadlock.
// Params: the same
// Rows: the same
UNWIND $key AS key
MATCH (a:Address {key: key})
SET a.degree_in = a.degree_in
WITH collect(a) AS locked
UNWIND locked AS held
RETURN held.key AS key, held.first_seen_at AS first_seen_at, held.last_seen_at AS last_seen_at,
  held.degree_in AS degree_in, held.degree_out AS degree_out
