// Question: the same as lock-ends.cypher, where writes run concurrently. Setting a property to itself locks the node before the
// property is read. All batches lock in the order of the keys, so that two of them cannot deadlock.
// Params: the same
// Rows: the same
UNWIND $key AS key
MATCH (a:Address {key: key})
SET a.degree_in = a.degree_in
RETURN a.key AS key, a.first_seen_at AS first_seen_at, a.last_seen_at AS last_seen_at,
  a.degree_in AS degree_in, a.degree_out AS degree_out
