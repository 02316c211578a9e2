// Question: what does the graph know about these addresses before somebody pays them?
// Params: $keys (list of `chain:address`)
// Rows: one for each known address: key, degree_in, degree_out, last_seen_at, scanned_at, is_bait, and its last score:
//       risk_score, risk_level, scored_at, rule_set_version, score_evidence, score_labels, score_transfers, score_is_partial (nulls where it has none)
UNWIND $keys AS key
MATCH (a:Address {key: key})
RETURN a.key AS key, coalesce(a.degree_in, 0) AS degree_in, coalesce(a.degree_out, 0) AS degree_out,
       a.last_seen_at AS last_seen_at, a.scanned_at AS scanned_at, coalesce(a.is_bait, false) AS is_bait,
       a.risk_score AS risk_score, a.risk_level AS risk_level, a.scored_at AS scored_at,
       a.rule_set_version AS rule_set_version, a.score_evidence AS score_evidence, a.score_labels AS score_labels, a.score_transfers AS score_transfers, a.score_is_partial AS score_is_partial
ORDER BY key
