// Neighbourhood: the widest flows around an address
// A picture of one hop: at most `width` payers and as many payees, those with the largest sums.
// :param address => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param width => 25
MATCH (a:Address {key: $address})
CALL (a) {
  MATCH p = (a)<-[f:FLOW]-(:Address)
  RETURN p ORDER BY f.usd DESC, startNode(f).key LIMIT toInteger($width)
  UNION
  MATCH p = (a)-[f:FLOW]->(:Address)
  RETURN p ORDER BY f.usd DESC, endNode(f).key LIMIT toInteger($width)
}
RETURN p;
