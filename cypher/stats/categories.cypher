// Question: how many labelled addresses does each category have?
// Params: none
// Rows: category, addresses
MATCH (a:Address) WHERE a.category IS NOT NULL
RETURN a.category AS category, count(a) AS addresses
ORDER BY category
