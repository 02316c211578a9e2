// Question: the same as lock-ends.cypher, where writes run concurrently. To set a constant locks the node and reads nothing
// before; it is set first, because to remove a property that no node ever had locks nothing. The list keeps the planner from
// reading the others earlier, when another batch may change them.
// All batches lock in the order of the keys, so that two of them cannot deadlock.
// Params: the same
// Rows: the same
UNWIND $key AS key
MATCH (a:Address {key: key})
SET a.locked = true
REMOVE a.locked
WITH collect(a) AS locked
UNWIND locked AS held
RETURN held.key AS key, held.first_seen_at AS first_seen_at, held.last_seen_at AS last_seen_at,
  held.degree_in AS degree_in, held.degree_out AS degree_out
