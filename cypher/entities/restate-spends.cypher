// Question: what is known of transactions of several payers now?
// Params: one entry per transaction: $tx_hash, $payers and $payees (keys, sorted), $said (JSON)
// Rows: none
UNWIND range(0, size($tx_hash) - 1) AS i
MATCH (s:JointSpend {tx_hash: $tx_hash[i]})
SET s.payers = $payers[i], s.payees = $payees[i], s.said = $said[i]
