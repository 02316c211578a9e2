// Question: which crossings end at this address?
// Params: $key
// Rows: one for each crossing: from, to (keys), properties (of the BRIDGED), in the order of their ids
MATCH (a:Address {key: $key})
MATCH (a)<-[b:BRIDGED]-(o:Address)
RETURN o.key AS from, a.key AS to, properties(b) AS properties
ORDER BY b.id
