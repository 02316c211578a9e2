// Question: the rebuild of the graph has ended.
// Params: none
// Rows: none
MATCH (r:Rebuild)
DELETE r
