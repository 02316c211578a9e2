// Question: the same as locked.cypher, where writes run concurrently. To set a constant locks the node and reads nothing
// before; it is set first, because to remove a property that no node ever had locks nothing. The list keeps the planner from
// reading the others earlier, when another batch may change them.
// All batches lock in the order of the keys, so that two of them cannot deadlock.
// Params: the same
// Rows: the same
UNWIND $key AS key
MATCH (node:Address {key: key})
SET node.locked = true
REMOVE node.locked
WITH collect(node) AS nodes
UNWIND nodes AS a
