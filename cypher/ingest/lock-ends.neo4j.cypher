// As beside, where writes run beside each other: to set a property to itself locks the node before the property is read
// and writes nothing. In the order of the keys, so that two batches with common addresses come one after the other and
// never wait for each other in a ring.
UNWIND $key AS key
MATCH (a:Address {key: key})
SET a.degree_in = a.degree_in
RETURN a.key AS key, a.first_seen_at AS first_seen_at, a.last_seen_at AS last_seen_at,
  a.degree_in AS degree_in, a.degree_out AS degree_out
