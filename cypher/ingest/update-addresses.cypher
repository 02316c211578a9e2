// Renews what transfers say of addresses that had been there: when they were seen, how many counterparties they have.
// Parameters, one entry per address: $key, $changed (map of the properties that are other than before: each one set
// costs as much as four that are created).
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
SET a += $changed[i]
