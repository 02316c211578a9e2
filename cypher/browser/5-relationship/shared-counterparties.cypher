// Relationship: which counterparties do both have?
// Busy services (1,000 counterparties and more) are named apart: that two people use one exchange says nothing of them.
// Largest common sum first.
// :param a => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param b => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (a:Address {key: $a})-[fa:FLOW]-(c:Address)
WHERE a.key <> $b AND NOT c.key IN [$a, $b]
WITH c, sum(fa.usd) AS with_a_usd
MATCH (c)-[fb:FLOW]-(:Address {key: $b})
WITH c, with_a_usd, sum(fb.usd) AS with_b_usd
RETURN c.address AS address, c.category AS category, c.label AS label, with_a_usd, with_b_usd,
       coalesce(c.category IN ['bridge', 'exchange', 'dex', 'dex_router', 'gambling', 'mixer'], false)
         AND c.degree_in + c.degree_out >= 1000 AS busy_service
ORDER BY busy_service, CASE WHEN with_a_usd < with_b_usd THEN with_a_usd ELSE with_b_usd END DESC, address
LIMIT 200;
