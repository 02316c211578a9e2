// Question: which addresses does one key hold, and what proves it?
// Params: $key (of each address, `evm:<address>` for all EVM chains), $key_id, $public_key, $tx_hash, $at (null: unknown)
// Rows: none
UNWIND $key AS key
MERGE (k:KeyAddress {key: key})
SET k.key_id = $key_id, k.public_key = $public_key, k.tx_hash = $tx_hash, k.at = $at
