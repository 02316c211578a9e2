// Question: whom did the signer pay before?
// Only what the signer must have sent itself counts: something of worth, or the chain's own coin; anybody can make
// a worthless token say that the signer paid.
// Params: $signer (`chain:address`), $recipients_max (a signer with more is not searched), $usd_min
// Rows: address, last_at of the payments
MATCH (s:Address {key: $signer})
WHERE coalesce(s.degree_out, 0) <= $recipients_max
MATCH (s)-[f:FLOW]->(c:Address)
WHERE coalesce(f.usd, 0) >= $usd_min OR coalesce(f.has_coin, false)
RETURN c.address AS address, f.last_at AS last_at
ORDER BY address
