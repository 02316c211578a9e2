// Flow path: the shortest ways as a picture, whatever the times
// Up to six hops of flows, through services too. What stands here need not be one flow of money: check the times.
// :param from => 'ethereum:0x00000000000000000000000000000000000000a1'
// :param to => 'ethereum:0x00000000000000000000000000000000000000b2'
MATCH (a:Address {key: $from}), (b:Address {key: $to})
MATCH p = SHORTEST 10 (a)-[:FLOW]->{1,6}(b)
RETURN p;
