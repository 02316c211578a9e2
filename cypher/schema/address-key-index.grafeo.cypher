// A constraint brings no index here, and without one every look-up by key is a scan.
CREATE INDEX address_key_index IF NOT EXISTS FOR (a:Address) ON (a.key)
