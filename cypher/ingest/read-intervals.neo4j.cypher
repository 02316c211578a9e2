// Question: same as read-intervals, where other writes run at the same time
// Params: $keys (list of `chain:address`)
// Rows: same as read-intervals. Setting a property to itself locks the nodes before the lists are read
UNWIND $keys AS key
MATCH (a:Address {key: key})
SET a.degree_in = a.degree_in
RETURN a.key AS key, a.read_lists AS read_lists, a.read_from AS read_from, a.read_to AS read_to,
       a.read_sources AS read_sources, a.read_at AS read_at
