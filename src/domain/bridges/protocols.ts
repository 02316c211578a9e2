import { type Chain, EVM_CHAIN_IDS } from '../chain.ts';

/** The protocols whose messages are recognised, by their own names. Apart from their rows: the console loads these alone. */
const PROTOCOL_NAMES = {
  cctp_v1: 'Circle CCTP 1',
  cctp_v2: 'Circle CCTP 2',
  across: 'Across',
  layerzero: 'LayerZero',
  wormhole: 'Wormhole',
  celer: 'Celer cBridge',
  debridge: 'deBridge',
  optimism_native: 'Optimism Standard Bridge',
  arbitrum_native: 'Arbitrum Bridge',
  polygon_native: 'Polygon PoS Bridge',
  hop: 'Hop',
  thorchain: 'THORChain',
};
export type BridgeProtocol = keyof typeof PROTOCOL_NAMES;
export const BRIDGE_PROTOCOLS = Object.keys(PROTOCOL_NAMES) as BridgeProtocol[];

/** The name of a protocol; its code where it has none. */
export function protocolName(protocol: string): string {
  return (PROTOCOL_NAMES as Partial<Record<string, string>>)[protocol] ?? protocol;
}

/**
 * The maker of a statement. `attested`: the bridge's own code alone, after it took the money or saw proof that it was taken.
 * `open`: anybody, by a memo or by a public function that states what its caller brings.
 */
interface Witness {
  made: 'attested' | 'open';
  because: string;
}

/** All that is stated of one protocol; `src/chains/bridges/protocols` has the reader of its messages. */
interface ProtocolRow {
  /** The maker of each side's statement. */
  statements: Record<'source' | 'destination', Witness>;
  /** How it writes the chains: a domain, an endpoint id, a chain id, a name. */
  numbers: Partial<Record<Chain, number | string>>;
  /**
   * Least and most that may arrive of an asset, as parts of what was sent. A pool can pay a little more than it took, as a reward for
   * balancing it; null where the protocol exchanges assets, so that amounts do not compare.
   */
  arrivesAtMost: number | null;
  /** True where it may deliver another asset although amounts of one asset compare. */
  converts?: true;
  /** True where the amount arrives whole: without a fee, and in no pool's other quantity. */
  arrivesWhole?: true;
  /** Its exits to Ethereum wait for a challenge period and for a claim. */
  exitsWait?: true;
  /**
   * Contracts whose statements count, one a line: chains, role, address, token (`coin` for the chain's own), peer, family.
   * Read from the repositories named above them; live deployments were not asked.
   */
  contracts: string;
}

const attested = (because: string): Witness => ({ made: 'attested', because });
const open = (because: string): Witness => ({ made: 'open', because });

const CCTP_DOMAINS = { ethereum: 0, avalanche: 1, optimism: 2, arbitrum: 3, solana: 5, base: 6, polygon: 7 };

/** The one table of bridges: a new protocol is its name, its row and its reader. */
export const PROTOCOLS: Record<BridgeProtocol, ProtocolRow> = {
  cctp_v1: {
    statements: {
      source: attested("depositForBurn burns the caller's tokens before it logs"),
      destination: attested('the message is signed by Circle, and its sender is the messenger of the other chain'),
    },
    numbers: CCTP_DOMAINS,
    arrivesAtMost: 1,
    arrivesWhole: true,
    // circlefin/evm-cctp-contracts
    contracts: `
ethereum,token_messenger,0xbd3fa81b58ba92a82136038b25adec7066af3155
avalanche,token_messenger,0x6b25532e1060ce10cc3b0a99e5683b91bfde6982
optimism,token_messenger,0x2b4069517957735be00cee0fadae88a26365528f
arbitrum,token_messenger,0x19330d10d9cc8751218eaf51e8885d058642e08a
base,token_messenger,0x1682ae6375c4e4a97e4b583bc394c861a46d8962
polygon,token_messenger,0x9daf8c91aefae50b9c0e69629d3f6ca40ca3b3fe
ethereum,message_transmitter,0x0a992d191deec32afe36203ad87d7d289a738f81
avalanche,message_transmitter,0x8186359af5f57fbb40c6b14a588d2a59c0c29880
optimism,message_transmitter,0x4d41f22c5a0e5c74090899e5a8fb597a8842b3e8
arbitrum,message_transmitter,0xc30362313fbba5cf9163f0bb16a0e01f01a896ca
base,message_transmitter,0xad09780d193884d503182ad4588450c416d6f9d4
polygon,message_transmitter,0xf3be9355363857f3e001be68856a2f96b4c39ba9`,
  },
  cctp_v2: {
    statements: {
      source: attested("depositForBurn burns the caller's tokens before it logs"),
      destination: attested('the message is signed by Circle, and its sender is the messenger of the other chain'),
    },
    numbers: CCTP_DOMAINS,
    arrivesAtMost: 1,
    // circlefin/evm-cctp-contracts
    contracts: `
ethereum avalanche optimism arbitrum base polygon,token_messenger,0x28b5a0e9c621a5badaa536219b3a228c8168cf5d
ethereum avalanche optimism arbitrum base polygon,message_transmitter,0x81d40f21f12a8f0e3252bccb954d722d4c464b64`,
  },
  across: {
    statements: {
      source: attested('the pool takes the input from its caller before it logs'),
      destination: open('fillRelay pays what its caller brings, for a deposit that it does not check'),
    },
    numbers: { ...EVM_CHAIN_IDS, solana: '34268394551451', tron: 728_126_428 },
    arrivesAtMost: 1.01,
    converts: true,
    // across-protocol/contracts
    contracts: `
ethereum,spoke_pool,0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5
polygon,spoke_pool,0x9295ee1d8c5b022be115a2ad3c30c72e34e7f096
bsc,spoke_pool,0x4e8e101924ede233c13e2d8622dc8aed2872d505
base,spoke_pool,0x09aea4b2242abc8bb4bb78d537a67a245a7bec64
arbitrum,spoke_pool,0xe35e9842fceaca96570b734083f4a58e8f7c5f2a
optimism,spoke_pool,0x6f26bf09b1c792e3228e5467807a900a503c0281
avalanche,spoke_pool,0xe0db08b3f72931dca2ed7323a1053eac42715bee`,
  },
  layerzero: {
    statements: {
      source: attested('a registered token contract burns or locks before it logs; the endpoint makes the guid'),
      destination: attested('the endpoint delivers verified packets of registered peers alone'),
    },
    numbers: {
      ethereum: 30101,
      bsc: 30102,
      avalanche: 30106,
      polygon: 30109,
      arbitrum: 30110,
      optimism: 30111,
      kaia: 30150,
      solana: 30168,
      base: 30184,
    },
    arrivesAtMost: 1.01,
    // LayerZero-Labs/LayerZero-v2 (endpoint), stargate-protocol/stargate-v2 (pools, token messaging), deployments of USDT0
    contracts: `
ethereum polygon bsc base arbitrum optimism avalanche kaia,endpoint,0x1a44076050125825900e736c501f859c50fe728c
ethereum,oft,0x783129e4d7ba0af0c896c239e57c06df379aae8c,,,stargate:EURC
base,oft,0x87dd5a7481726a53c5ac6b0d296f5846f95a72f2,,,stargate:EURC
avalanche,oft,0x0ceb237e109ee22374a567c6b09f373c73fa4cbb,,,stargate:EURC
ethereum,oft,0xcdafb1b2db43f366e48e6f614b8dccbfeefeecd3,,,stargate:METIS
ethereum,oft,0x77b2043768d28e9c9ab44e1abfc95944bce57931,coin,,stargate:ETH
base,oft,0xdc181bd607330aeebef6ea62e03e5e1fb4b6f7c7,coin,,stargate:ETH
arbitrum,oft,0xa45b5130f36cdca45667738e2a258ab09f4a5f7f,coin,,stargate:ETH
optimism,oft,0xe8cdf27acd73a434d661c84887215f7598e7d0d3,coin,,stargate:ETH
kaia,oft,0xbb4957e44401a31ed81cab33539d9e8993fa13ce,,,stargate:ETH
ethereum,oft,0xc026395860db2d07ee33e05fe50ed7bd583189c7,,,stargate:USDC
polygon,oft,0x9aa02d4fae7f58b8e8f34c66e756cc734dac7fe4,,,stargate:USDC
bsc,oft,0x962bd449e630b0d928f308ce63f1a21f02576057,,,stargate:USDC
base,oft,0x27a16dc786820b16e5c9028b75b99f6f604b5d26,,,stargate:USDC
arbitrum,oft,0xe8cdf27acd73a434d661c84887215f7598e7d0d3,,,stargate:USDC
optimism,oft,0xce8cca271ebc0533920c83d39f417ed6a0abb7d0,,,stargate:USDC
avalanche,oft,0x5634c4a5fed09819e3c46d86a965dd9447d86e47,,,stargate:USDC
kaia,oft,0x01a7c805cc47abdb254cd8aad29de5e447f59224,,,stargate:USDC
ethereum,oft,0x933597a323eb81cae705c5bc29985172fd5a3973,,,stargate:USDT
polygon,oft,0xd47b03ee6d86cf251ee7860fb2acf9f91b9fd4d7,,,stargate:USDT
bsc,oft,0x138eb30f73bc423c6455c53df6d89cb01d9ebc63,,,stargate:USDT
arbitrum,oft,0xce8cca271ebc0533920c83d39f417ed6a0abb7d0,,,stargate:USDT
optimism,oft,0x19cfce47ed54a88614648dc3f19a5980097007dd,,,stargate:USDT
avalanche,oft,0x12dc9256acc9895b076f6638d628382881e62cee,,,stargate:USDT
kaia,oft,0x8619ba1b324e099cb2227060c4bc5bdee14456c6,,,stargate:USDT
ethereum,oft,0x268ca24daeff1fac2ed883c598200ccbb79e931d,,,stargate:mETH
ethereum,token_messaging,0x6d6620efa72948c5f68a3c8646d58c00d3f4a980
polygon,token_messaging,0x6ce9bf8cdab780416ad1fd87b318a077d2f50eac
bsc,token_messaging,0x6e3d884c96d640526f273c61dfcf08915ebd7e2b
base,token_messaging,0x5634c4a5fed09819e3c46d86a965dd9447d86e47
arbitrum,token_messaging,0x19cfce47ed54a88614648dc3f19a5980097007dd
optimism,token_messaging,0xf1fcb4cbd57b67d683972a59b6a7b1e2e8bf27e6
avalanche,token_messaging,0x17e450be3ba9557f2378e20d64ad417e59ef9a34
kaia,token_messaging,0x16f3f98d82d965988e6853681fd578f4d719a1c0
ethereum,oft,0x6c96de32cea08842dcc4058c14d3aaad7fa41dee,,,usdt0
arbitrum,oft,0x14e4a1b13bf7f943c8ff7c51fb60fa964a298d92,,,usdt0
optimism,oft,0xf03b4d9ac1d5d1e7c4cef54c2a313b9fe051a0ad,,,usdt0
polygon,oft,0x6ba10300f0dc58b7a1e4c0e41f5dabb7d7829e13,,,usdt0`,
  },
  wormhole: {
    statements: {
      source: attested("the message's sender is the token bridge, which takes the tokens first"),
      destination: attested('the guardians sign the message, whose emitter is the token bridge of the other chain'),
    },
    numbers: {
      solana: 1,
      ethereum: 2,
      bsc: 4,
      polygon: 5,
      avalanche: 6,
      kaia: 13,
      arbitrum: 23,
      optimism: 24,
      base: 30,
    },
    arrivesAtMost: 1,
    // wormhole-foundation/wormhole
    contracts: `
ethereum bsc,core,0x98f3c9e6e3face36baad05fe09d375ef1464288b
polygon,core,0x7a4b5a56256163f07b2c80a7ca55abe66c4ec4d7
avalanche,core,0x54a8e5f9c4cba08f9943965859f6c34eaf03e26c
kaia,core,0x0c21603c4f3a6387e241c0091a7ea39e43e90bb7
arbitrum,core,0xa5f208e072434bc67592e4c49c1b991ba79bca46
optimism,core,0xee91c335eab126df5fdb3797ea9d6ad93aec9722
base,core,0xbebdb6c8ddc678ffa9f8748f85c815c556dd8ac6
ethereum,token_bridge,0x3ee18b2214aff97000d974cf647e7c347e8fa585
bsc,token_bridge,0xb6f6d86a8f9879a9c87f643768d9efc38c1da6e7
polygon,token_bridge,0x5a58505a96d1dbf8df91cb21b54419fc36e93fde
avalanche,token_bridge,0x0e082f06ff657d94310cb8ce8b0d9a04541d8052
kaia,token_bridge,0x5b08ac39eaed75c0439fc750d9fe7e1f9dd0193f
arbitrum,token_bridge,0x0b2402144bb366a632d14b83f244d2e0e21bd39c
optimism,token_bridge,0x1d68124e65fafc907325e3edbf8c4d84499daa8b
base,token_bridge,0x8d2de8d2f73f1f4cab472ac9a881c9b123c79627`,
  },
  celer: {
    statements: {
      source: attested('the pool takes the tokens from its caller before it logs'),
      destination: attested('the validators sign the payout'),
    },
    numbers: EVM_CHAIN_IDS,
    arrivesAtMost: 1.01,
    // celer-network/sgn-v2-contracts
    contracts: `
ethereum,pool,0x5427fefa711eff984124bfbb1ab6fbf5e3da1820
polygon,pool,0x88dcdc47d2f83a99cf0000fdf667a468bb958a78
avalanche,pool,0xef3c714c9425a8f3697a9c969dc1af30ba82e5d4
bsc,pool,0xdd90e5e87a2081dcf0391920868ebc2ffb81a1af
arbitrum,pool,0x1619de6b6b20ed217a58d00f37b9d47c7663feca
optimism,pool,0x9d39fc627a6d9d9f8c831c16995b209548cc3401
kaia,pool,0x4c882ec256823ee773b25b414d36f92ef58a7c0c
base,pool,0x7d43aabc515c356145049227cee54b608342c0ad`,
  },
  debridge: {
    statements: {
      source: attested('the contract takes the input from its caller before it logs'),
      destination: open('fulfillOrder pays what its caller brings, for an order that it does not check'),
    },
    numbers: { ...EVM_CHAIN_IDS, solana: 7_565_164, tron: 100_000_026 },
    arrivesAtMost: null,
    // debridge-finance/dln-contracts
    contracts: `
ethereum polygon bsc base arbitrum optimism avalanche,source,0xef4fb24ad0916217251f553c0596f8edc630eb66
ethereum polygon bsc base arbitrum optimism avalanche,destination,0xe7351fd770a37282b91d153ee690b63579d6dd7f`,
  },
  optimism_native: {
    statements: {
      source: attested(
        'the messenger takes the coin that it logs; a payout counts if the standard bridge asked for it',
      ),
      destination: attested('the bridge pays by a proven message of the other bridge alone'),
    },
    numbers: EVM_CHAIN_IDS,
    arrivesAtMost: 1,
    arrivesWhole: true,
    exitsWait: true,
    // ethereum-optimism/optimism, base-org/contracts
    contracts: `
ethereum,messenger,0x25ace71c97b33cc4729cf772ae268934f7ab5fa1,,optimism
ethereum,bridge,0x99c9fc46f92e8a1c0dec1b1747d010903e884be1,,optimism
ethereum,portal,0xbeb5fc579115071764c7423a4f12edde41f106ed,,optimism
ethereum,portal,0x49048044d57e1c92a77f79988d21fa8faf74e97e,,base
optimism base,messenger,0x4200000000000000000000000000000000000007,,ethereum
optimism base,bridge,0x4200000000000000000000000000000000000010,,ethereum
ethereum,messenger,0x866e82a600a1414e583f7f13623f1ac5d58b0afa,,base
ethereum,bridge,0x3154cf16ccdb4c6d922629664174b904d80f2c35,,base`,
  },
  arbitrum_native: {
    statements: {
      source: {
        made: 'attested',
        because:
          'the bridge takes the coin of a deposit, ArbSys that of an exit; tokens count between a pair of gateways',
      },
      destination: attested('the chain itself writes deposits; the outbox pays by proof'),
    },
    numbers: EVM_CHAIN_IDS,
    arrivesAtMost: 1,
    arrivesWhole: true,
    exitsWait: true,
    // OffchainLabs/nitro-contracts, OffchainLabs/arbitrum-sdk
    contracts: `
ethereum,inbox,0x4dbd4fc535ac27206064b68ffcf827b0a60bab3f
ethereum,bridge,0x8315177ab297ba92a06054ce80a67ed4dbd7ed3a
ethereum,outbox,0x0b9857ae2d4a3dbe74ffe1d7df045bb7f96e4840
arbitrum,arbsys,0x0000000000000000000000000000000000000064
ethereum,gateway,0xa3a7b6f88361f48403514059f1f16c8e78d60eec,,,standard
ethereum,gateway,0xcee284f754e854890e311e3280b767f80797180d,,,custom
arbitrum,gateway,0x09e9222e96e7b4ae2a407b98d48e330053351eee,,,standard
arbitrum,gateway,0x096760f208390250649e3e8763348e783aef5562,,,custom`,
  },
  polygon_native: {
    statements: {
      source: attested('the state sender takes states of registered senders; a deposit names the child manager'),
      destination: attested('validators commit the state, and one mint is all that it did'),
    },
    numbers: EVM_CHAIN_IDS,
    arrivesAtMost: 1,
    arrivesWhole: true,
    exitsWait: true,
    // maticnetwork/pos-portal
    contracts: `
ethereum,state_sender,0x28e4f3a7f651294b9564800b2d01f35189a5bfbe
polygon,state_receiver,0x0000000000000000000000000000000000001001
polygon,child_manager,0xa6fa4fb5f76172d178d61b04b0ecd319c5d1c0aa`,
  },
  hop: {
    statements: {
      source: attested('the bridge burns its own token before it logs'),
      destination: attested("bonders with a stake, or a proof, release the pool's money"),
    },
    numbers: EVM_CHAIN_IDS,
    arrivesAtMost: 1.01,
    // hop-protocol/hop packages/core/src/addresses
    contracts: `
ethereum,bridge,0xb8901acb165ed027e32754e0ffe830802919727f,coin,,ETH
polygon,bridge,0xb98454270065a31d71bf635f6f7ee6a518dfb849,0x7ceb23fd6bc0add59e62ac25578270cff1b9f619,,ETH
arbitrum,bridge,0x3749c4f034022c39ecaffaba182555d4508caccc,0x82af49447d8a07e3bd95bd0d56f35241523fbab1,,ETH
optimism,bridge,0x83f6244bd87662118d96d9a6d44f09dfff14b30e,0x4200000000000000000000000000000000000006,,ETH
base,bridge,0x3666f603cc164936c1b87e207f36beba4ac5f18a,0x4200000000000000000000000000000000000006,,ETH
ethereum,bridge,0x3666f603cc164936c1b87e207f36beba4ac5f18a,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48,,USDC
polygon,bridge,0x25d8039bb044dc227f741a9e381ca4ceae2e6ae8,0x2791bca1f2de4661ed88a30c99a7a9449aa84174,,USDC
optimism,bridge,0xa81d244a1814468c734e5b4101f7b9c0c577a8fc,0x7f5c764cbc14f9669b88837ca1490cca17c31607,,USDC
arbitrum,bridge,0x0e0e3d2c5c292161999474247956ef542cabf8dd,0xff970a61a04b1ca14834a43f5de4533ebddb5cc8,,USDC
ethereum,bridge,0x3e4a3a4796d16c0cd582c382691998f7c06420b6,0xdac17f958d2ee523a2206206994597c13d831ec7,,USDT
polygon,bridge,0x6c9a1acf73bd85463a46b0afc076fbdf602b690b,0xc2132d05d31c914a87c6611c10748aeb04b58e8f,,USDT
optimism,bridge,0x46ae9bab8cea96610807a275ebd36f8e916b5c61,0x94b008aa00579c1307b0ef2c499ad98a8ce58e58,,USDT
arbitrum,bridge,0x72209fe68386b37a40d6bca04f78356fd342491f,0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9,,USDT
ethereum,bridge,0x22b1cbb8d98a01a3b71d034bb899775a76eb1cc2,0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0,,MATIC
polygon,bridge,0x553bc791d746767166fa3888432038193ceed5e2,0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270,,MATIC
ethereum,bridge,0x3d4cc8a61c7528fd86c55cfe061a78dcba48edd1,0x6b175474e89094c44da98b954eedeac495271d0f,,DAI
polygon,bridge,0xecf268be00308980b5b3fcd0975d47c4c8e1382a,0x8f3cf7ad23cd3cadbd9735aff958023239c6a063,,DAI
optimism,bridge,0x7191061d5d4c60f598214cc6913502184baddf18,0xda10009cbd5d07dd0cecc66161fc93d7c9000da1,,DAI
arbitrum,bridge,0x7ac115536fe3a185100b2c4de4cb328bf3a58ba6,0xda10009cbd5d07dd0cecc66161fc93d7c9000da1,,DAI
polygon,wrapper,0xc315239cfb05f1e130e7e28e603cea4c014c57f0,,,ETH
arbitrum,wrapper,0x33ceb27b39d2bb7d2e61f7564d3df29344020417,,,ETH
optimism,wrapper,0x86ca30bef97fb651b8d866d45503684b90cb3312,,,ETH
polygon,wrapper,0x76b22b8c1079a44f1211d867d68b1eda76a635a7,,,USDC
optimism,wrapper,0x2ad09850b0ca4c7c1b33f5acd6cbabcab5d6e796,,,USDC
arbitrum,wrapper,0xe22d2bedb3eca35e6397e0c6d62857094aa26f52,,,USDC
polygon,wrapper,0x8741ba6225a6bf91f9d73531a98a89807857a2b3,,,USDT
optimism,wrapper,0x7d269d3e0d61a05a0ba976b7dbf8805bf844af3f,,,USDT
arbitrum,wrapper,0xcb0a4177e0a60247c0ad18be87f8edff6dd30283,,,USDT
polygon,wrapper,0x884d1aa15f9957e1aeaa86a82a72e49bc2bfcbe3,,,MATIC
polygon,wrapper,0x28529fec439cff6d7d1d5917e956dee62cd3be5c,,,DAI
optimism,wrapper,0xb3c68a491608952cb1257fc9909a537a0173b63b,,,DAI
arbitrum,wrapper,0xe7f40bf16ab09f4a6906ac2caa4094ad2da48cc2,,,DAI`,
  },
  thorchain: {
    statements: {
      source: open('anybody writes a memo, and the router takes deposits for any vault that its caller names'),
      destination: open('anybody writes a memo, and transferOut pays what its caller brings'),
    },
    numbers: { bitcoin: 'BTC', ethereum: 'ETH', base: 'BASE', bsc: 'BSC', avalanche: 'AVAX', xrp: 'XRP', tron: 'TRON' },
    arrivesAtMost: null,
    // third-party documents of September 2026; routers are replaced now and then
    contracts: `
ethereum,router,0xd37bbe5744d730a1d98d8dc97c42f0ca46ad7146
bsc,router,0xb30ec53f98ff5947ede720d32ac2da7e52a5f56b
base avalanche,router,0x00dc6100103bc402d490aee3f9a5560cbd91f1d4`,
  },
};
