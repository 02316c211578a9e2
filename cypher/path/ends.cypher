// Question: how much of the history of these addresses was read, and do they have crossings of bridges?
// Params: $keys (list of `chain:address`)
// Rows: one per known address: key, read (loaded: a file holds it from the first transfer on; loaded_part: a file holds
//       a later part; whole, part or none), has_bridges (exposure/crossings has more)
UNWIND $keys AS key
MATCH (b:Address {key: key})
RETURN b.key AS key, CASE WHEN any(i IN range(0, size(coalesce(b.read_sources, [])) - 1) WHERE b.read_sources[i] = 'file' AND b.read_from[i] = 0) THEN 'loaded'
            WHEN b.scan_complete THEN 'whole' WHEN 'file' IN coalesce(b.read_sources, []) THEN 'loaded_part'
            WHEN b.scanned_at IS NOT NULL OR size(coalesce(b.read_lists, [])) > 0 THEN 'part' ELSE 'none' END AS read,
       coalesce(b.has_bridges, false) AS has_bridges
