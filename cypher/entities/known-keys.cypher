// Question: whose key is known among these addresses?
// Params: $key: as KeyAddress has them, `evm:<address>` for all EVM chains
// Rows: key, key_id, public_key (null: unknown), tx_hash, at
UNWIND $key AS key
MATCH (k:KeyAddress {key: key})
RETURN k.key AS key, k.key_id AS key_id, k.public_key AS public_key, k.tx_hash AS tx_hash, k.at AS at
