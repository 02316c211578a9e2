// Labelled addresses are few among many: statistics and Browser find them without a scan.
CREATE INDEX address_category IF NOT EXISTS FOR (a:Address) ON (a.category)
