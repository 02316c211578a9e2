// Question: which transactions of several payers are in the graph no more? Deletes what is known of them.
// Params: $tx_hash: hashes
// Rows: none
UNWIND $tx_hash AS tx_hash
MATCH (s:JointSpend {tx_hash: tx_hash})
DELETE s
