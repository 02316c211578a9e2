// Question: which addresses are in the graph, a page at a time in the order of their keys?
// Params: $after: the last key of the page before, or an empty text; $limit
// Rows: properties (of one address)
MATCH (a:Address) WHERE a.key > $after
RETURN properties(a) AS properties
ORDER BY properties.key
LIMIT $limit
