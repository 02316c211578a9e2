// Question: what is known of these transactions of several payers? Nothing may change it before the transaction ends.
// Params: $tx_hash: hashes, sorted
// Rows: tx_hash, payers and payees (keys, sorted), said (JSON) of each known one
UNWIND $tx_hash AS tx_hash
MATCH (s:JointSpend {tx_hash: tx_hash})
RETURN s.tx_hash AS tx_hash, s.payers AS payers, coalesce(s.payees, []) AS payees, s.said AS said
