// Question: which addresses lose the score of their last scan, because what it rests on was deleted?
// Params: $key: keys of addresses
// Rows: none
UNWIND $key AS key
MATCH (a:Address {key: key})
REMOVE a.risk_score, a.risk_level, a.scored_at, a.rule_set_version, a.score_evidence, a.score_labels, a.score_transfers, a.score_is_partial
