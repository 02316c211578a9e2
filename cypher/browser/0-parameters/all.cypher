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
:param categories => ['exchange', 'bridge', 'mixer', 'scam', 'drainer', 'sanctioned', 'darknet'];
