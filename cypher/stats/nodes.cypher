// Question: how many addresses does the graph hold on each chain?
// Params: none
// Rows: chain, addresses, scanned (their history was read), labelled (with a category)
MATCH (a:Address)
RETURN a.chain AS chain, count(a) AS addresses, count(a.scanned_at) AS scanned, count(a.category) AS labelled
ORDER BY chain
