// A page of all addresses, in the order of their keys.
// Parameters: $after (the last key of the page before, or empty), $limit.
// Rows: properties (of one address).
MATCH (a:Address) WHERE a.key > $after
RETURN properties(a) AS properties
ORDER BY properties.key
LIMIT $limit
