// Question: which parts of the histories of these addresses are known now, and what kind of address is each?
// Params: $items: list of {key (`chain:address`), chain, address, lists, from, to, sources, at (parallel lists, one
//         entry for each interval), balance_assets, balance_at, balance_amounts (parallel lists or null), is_contract and is_hub (null: not known)}
// Rows: none
UNWIND $items AS item
MERGE (a:Address {key: item.key})
ON CREATE SET a.chain = item.chain, a.address = item.address, a.degree_in = 0, a.degree_out = 0
SET a.read_lists = item.lists, a.read_from = item.from, a.read_to = item.to, a.read_sources = item.sources,
    a.read_at = item.at, a.balance_assets = item.balance_assets, a.balance_at = item.balance_at,
    a.balance_amounts = item.balance_amounts, a.is_contract = coalesce(item.is_contract, a.is_contract),
    a.is_hub = coalesce(item.is_hub, a.is_hub)
