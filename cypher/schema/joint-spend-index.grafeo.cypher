// Question: which transaction of several payers has a hash? As for the key of an address.
// Params: none
// Rows: none
CREATE INDEX joint_spend_index IF NOT EXISTS FOR (s:JointSpend) ON (s.tx_hash)
