// Question: what was read of these addresses? Nothing may change it before the transaction ends
// Params: $key: keys of addresses, sorted
// Rows: one for each known address: key, is_contract (null: not known), read_lists, read_from, read_to, read_sources, read_at (parallel lists),
//       balance_assets, balance_at, balance_amounts (parallel lists); null where nothing was read
// Part: ingest/locked
RETURN a.key AS key, a.is_contract AS is_contract, a.read_lists AS read_lists, a.read_from AS read_from, a.read_to AS read_to,
       a.read_sources AS read_sources, a.read_at AS read_at,
       a.balance_assets AS balance_assets, a.balance_at AS balance_at, a.balance_amounts AS balance_amounts
