// Question: over which unlabelled addresses can money have come from a taker back to who lost it?
// Params: $items (list of {victim, taker}, keys `chain:address`), $payers (most payers of such an address), $most (payers of
//         a victim: one with more is left out)
// Rows: one for each address between the two, in no order: victim, taker, helper (keys)
UNWIND $items AS item
MATCH (v:Address {key: item.victim})
WHERE coalesce(v.degree_in, 0) <= $most
MATCH (v)<-[:FLOW]-(f:Address)
WHERE f.category IS NULL AND coalesce(f.degree_in, 0) <= $payers
MATCH (f)<-[:FLOW]-(t:Address)
WHERE t.key = item.taker
RETURN v.key AS victim, t.key AS taker, f.key AS helper
