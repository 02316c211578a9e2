// Question: how did the newest scan rate this address? An older score is replaced, a newer one stays; a scan that followed
// no money leaves a higher score of the same rules
// Params: $key (`chain:address`), $score, $level, $at (epoch ms), $rule_set_version, $evidence (addresses whose labels the
//         score rests on), $labels (digest of those labels), $transfers (with others that the graph held), $is_partial, $is_narrow
//         (true for a scan that followed no money)
// Rows: level_before (null where it had no score), or none where the address is unknown or its score stays
MATCH (a:Address {key: $key})
WHERE a.scored_at IS NULL OR a.scored_at <= $at
      AND (NOT $is_narrow OR a.rule_set_version <> $rule_set_version OR a.risk_score <= $score)
WITH a, a.risk_level AS level_before
SET a.risk_score = $score, a.risk_level = $level, a.scored_at = $at, a.rule_set_version = $rule_set_version,
    a.score_evidence = $evidence, a.score_labels = $labels, a.score_transfers = $transfers, a.score_is_partial = $is_partial
RETURN level_before
