// Question: the same as lock-spends.cypher, where writes run concurrently: they are locked, and read once they are.
// Params: the same
// Rows: the same
UNWIND $tx_hash AS tx_hash
MATCH (node:JointSpend {tx_hash: tx_hash})
SET node.locked = true
REMOVE node.locked
WITH collect(node) AS nodes
UNWIND nodes AS s
RETURN s.tx_hash AS tx_hash, s.payers AS payers, coalesce(s.payees, []) AS payees, s.said AS said
