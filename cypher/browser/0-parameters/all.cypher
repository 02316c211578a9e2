// Parameters: what all the others ask about
// Open it in the editor, put in your addresses as `<chain>:<address>` (EVM in lower case), run it once. Browser keeps them.
:param address => 'ethereum:0x00000000000000000000000000000000000000a1';
:param from => 'ethereum:0x00000000000000000000000000000000000000a1';
:param to => 'ethereum:0x00000000000000000000000000000000000000b2';
:param a => 'ethereum:0x00000000000000000000000000000000000000a1';
:param b => 'ethereum:0x00000000000000000000000000000000000000b2';
:param min_usd => 0;
:param limit => 50;
:param width => 25;
:param category => 'mixer';
:param name => 'tornado';
:param categories => ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'];
:param stops => ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse', 'mixer', 'high_risk_exchange', 'gambling', 'bridge', 'exchange', 'dex', 'dex_router', 'service'];
:param no_parties => ['coinbase', '0x0000000000000000000000000000000000000000', '0x0000000000000000000000000000000000000001', '0x000000000000000000000000000000000000dead', '0xdead000000000000000042069420694206942069', '1nc1nerator11111111111111111111111111111111', '11111111111111111111111111111111', '1BitcoinEaterAddressDontSendf59kuE', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji'];
