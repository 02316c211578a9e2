// Question: which addresses have a label? An index finds these few without a scan, for statistics and Browser.
// Params: none
// Rows: none
CREATE INDEX address_category IF NOT EXISTS FOR (a:Address) ON (a.category)
