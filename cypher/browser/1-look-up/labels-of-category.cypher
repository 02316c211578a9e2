// Labels: the addresses of a category
// Categories: sanctioned, darknet, drainer, scam, mixer, gambling, bridge, exchange, dex, dex_router, other, whitelist.
// Busiest first.
// :param category => 'mixer'
MATCH (a:Address {category: $category})
RETURN a.key AS address, a.label AS label, a.label_source AS label_source, a.degree_in + a.degree_out AS counterparties
ORDER BY counterparties DESC, address
LIMIT 100;
