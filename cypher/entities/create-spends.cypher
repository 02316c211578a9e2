// Question: which transactions of several payers are new? Creates them; fails with a conflict when another batch was faster.
// Params: one entry per transaction: $tx_hash, $payers and $payees (keys, sorted), $said (JSON)
// Rows: none
UNWIND range(0, size($tx_hash) - 1) AS i
CREATE (:JointSpend {tx_hash: $tx_hash[i], payers: $payers[i], payees: $payees[i], said: $said[i]})
