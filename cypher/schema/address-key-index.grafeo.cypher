// Question: which node has a key? A constraint creates no index on this engine, and without one every look-up is a scan.
// Params: none
// Rows: none
CREATE INDEX address_key_index IF NOT EXISTS FOR (a:Address) ON (a.key)
