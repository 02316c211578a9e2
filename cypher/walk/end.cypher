// Question: what is known of each address that the walk met?
// Params: those of walk/start
// Rows: those of the walk (the last part of walk/sent-<n> and walk/received-<n>)
WITH opened, found, $keys + [far IN found | far[0]] AS keys
CALL (keys) {
  UNWIND keys AS key
  MATCH (b:Address {key: key})
  RETURN collect([b.key, b.category, CASE WHEN any(i IN range(0, size(coalesce(b.read_sources, [])) - 1) WHERE b.read_sources[i] = 'file' AND b.read_from[i] = 0) THEN 'loaded'
            WHEN b.scan_complete THEN 'whole' WHEN 'file' IN coalesce(b.read_sources, []) THEN 'loaded_part'
            WHEN b.scanned_at IS NOT NULL OR size(coalesce(b.read_lists, [])) > 0 THEN 'part' ELSE 'none' END, coalesce(b.has_bridges, false)]) AS known
}
RETURN opened, found, known
