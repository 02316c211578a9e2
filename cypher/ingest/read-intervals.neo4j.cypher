// Question: same as read-intervals, where other writes run at the same time
// Params: $keys (list of `chain:address`)
// Rows: same as read-intervals. The lock is explained in lock-ends.neo4j.cypher
UNWIND $keys AS key
MATCH (a:Address {key: key})
SET a.locked = true
REMOVE a.locked
WITH collect(a) AS locked
UNWIND locked AS held
RETURN held.key AS key, held.read_lists AS read_lists, held.read_from AS read_from, held.read_to AS read_to,
       held.read_sources AS read_sources, held.read_at AS read_at,
       held.balance_assets AS balance_assets, held.balance_at AS balance_at, held.balance_amounts AS balance_amounts
