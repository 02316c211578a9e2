// Question: which transaction of several payers has a hash? One node each.
// Params: none
// Rows: none
CREATE CONSTRAINT joint_spend IF NOT EXISTS FOR (s:JointSpend) REQUIRE s.tx_hash IS UNIQUE
