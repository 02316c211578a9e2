// How many labelled addresses does each category have?
// Rows: one per category: category, addresses.
MATCH (a:Address) WHERE a.category IS NOT NULL
RETURN a.category AS category, count(a) AS addresses
ORDER BY category
