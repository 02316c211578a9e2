// Question: which parts of the history of this address are known now, and what kind of address is it?
// Params: $key (`chain:address`), $chain, $address, $lists, $from, $to, $sources, $at (parallel lists, one entry for each
//         interval), $is_contract and $is_hub (null: not known)
// Rows: none
MERGE (a:Address {key: $key})
ON CREATE SET a.chain = $chain, a.address = $address, a.degree_in = 0, a.degree_out = 0
SET a.read_lists = $lists, a.read_from = $from, a.read_to = $to, a.read_sources = $sources, a.read_at = $at,
    a.is_contract = coalesce($is_contract, a.is_contract), a.is_hub = coalesce($is_hub, a.is_hub)
