// One node per chain and address, however many scans run at once.
CREATE CONSTRAINT address_key IF NOT EXISTS FOR (a:Address) REQUIRE a.key IS UNIQUE
