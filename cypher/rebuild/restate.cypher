// Question: crossings from these addresses state the same with other ids of transfers.
// Params: one entry for each crossing: $from (key), $id, $source, $destination (what each side states, as JSON, or null)
// Rows: none
UNWIND range(0, size($id) - 1) AS i
MATCH (a:Address {key: $from[i]})
MATCH (a)-[b:BRIDGED]->(:Address)
WHERE b.id = $id[i]
SET b.source = $source[i], b.destination = $destination[i]
