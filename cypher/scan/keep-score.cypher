// Question: how did the newest scan rate this address? An older score is replaced, a newer one stays
// Params: $key (`chain:address`), $score, $level, $at (epoch ms), $rule_set_version, $evidence (addresses whose labels the
//         score rests on), $labels (digest of those labels)
// Rows: level_before (null where it had no score), or none where the address is unknown or has a newer score
MATCH (a:Address {key: $key})
WHERE a.scored_at IS NULL OR a.scored_at <= $at
WITH a, a.risk_level AS level_before
SET a.risk_score = $score, a.risk_level = $level, a.scored_at = $at, a.rule_set_version = $rule_set_version,
    a.score_evidence = $evidence, a.score_labels = $labels
RETURN level_before
