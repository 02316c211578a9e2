import { AbiCoder, Interface, keccak256 } from 'ethers';
import { formatUnits } from '../../../src/domain/amount.ts';
import type { Crossing, ProtocolScript } from '../../contract/bridge-protocol.ts';
import { logs, moves, pays, type Step } from './stage.ts';

export const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
export const USDC_ARBITRUM = '0xaf88d065e77c8cc2239327c5edb3a432268e5831';
const USDC_E_ARBITRUM = '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8';
const USDT_ARBITRUM = '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9';
const USDC_E_OPTIMISM = '0x7f5c764cbc14f9669b88837ca1490cca17c31607';
const USDC_E_POLYGON = '0x2791bca1f2de4661ed88a30c99a7a9449aa84174';
const USDC_BASE = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const WRAPPED = `0x${'77'.repeat(20)}`;
const ZERO = `0x${'0'.repeat(40)}`;
const NO_WORD = `0x${'0'.repeat(64)}`;
const POOL = `0x${'99'.repeat(20)}`;
const SOLVER = `0x${'51'.repeat(20)}`;
const HOP_TOKEN = `0x${'78'.repeat(20)}`;

export const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
const hex = (value: bigint | number, bytes: number) => value.toString(16).padStart(2 * bytes, '0');
const idOf = (nonce: bigint) => `0x${hex(nonce, 2).repeat(16)}`;
const dollars = (raw: bigint) => formatUnits(raw, 6);
const coder = AbiCoder.defaultAbiCoder();

const MESSENGER = '0xbd3fa81b58ba92a82136038b25adec7066af3155';
const MESSENGER_ARBITRUM = '0x19330d10d9cc8751218eaf51e8885d058642e08a';
const TRANSMITTER_ARBITRUM = '0xc30362313fbba5cf9163f0bb16a0e01f01a896ca';

export const cctpV1: ProtocolScript = {
  name: 'cctp_v1',
  chains: ['ethereum', 'arbitrum'],
  emitters: [MESSENGER],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC, sender, POOL, amount),
      moves(USDC, POOL, ZERO, amount),
      logs(
        MESSENGER,
        'DepositForBurn(uint64 indexed nonce, address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller)',
        [nonce, USDC, amount, sender, word(recipient), 3, word(MESSENGER_ARBITRUM), NO_WORD],
      ),
    ],
  }),
  destination: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC_ARBITRUM, ZERO, recipient, amount),
      logs(
        MESSENGER_ARBITRUM,
        'MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken)',
        [recipient, amount, USDC_ARBITRUM],
      ),
      logs(
        TRANSMITTER_ARBITRUM,
        'MessageReceived(address indexed caller, uint32 sourceDomain, uint64 indexed nonce, bytes32 sender, bytes messageBody)',
        [
          SOLVER,
          0,
          nonce,
          word(MESSENGER),
          `0x00000000${word(USDC).slice(2)}${word(recipient).slice(2)}${hex(amount, 32)}${word(sender).slice(2)}`,
        ],
      ),
    ],
  }),
};

const MESSENGER_V2 = '0x28b5a0e9c621a5badaa536219b3a228c8168cf5d';
const TRANSMITTER_V2 = '0x81d40f21f12a8f0e3252bccb954d722d4c464b64';
const FEE_V2 = 25n;

/** The nonce of a crossing stands in the hook: content is all that identifies a message. */
export const cctpV2: ProtocolScript = {
  name: 'cctp_v2',
  chains: ['ethereum', 'arbitrum'],
  emitters: [MESSENGER_V2],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount - FEE_V2)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC, sender, POOL, amount),
      moves(USDC, POOL, ZERO, amount),
      logs(
        MESSENGER_V2,
        'DepositForBurn(address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller, uint256 maxFee, uint32 indexed minFinalityThreshold, bytes hookData)',
        [USDC, amount, sender, word(recipient), 3, word(MESSENGER_V2), NO_WORD, 100n, 1000, `0x${hex(nonce, 2)}`],
      ),
    ],
  }),
  destination: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC_ARBITRUM, ZERO, recipient, amount - FEE_V2),
      logs(
        MESSENGER_V2,
        'MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken, uint256 feeCollected)',
        [recipient, amount - FEE_V2, USDC_ARBITRUM, FEE_V2],
      ),
      logs(
        TRANSMITTER_V2,
        'MessageReceived(address indexed caller, uint32 sourceDomain, bytes32 indexed nonce, bytes32 sender, uint32 indexed finalityThresholdExecuted, bytes messageBody)',
        [
          SOLVER,
          0,
          idOf(nonce),
          word(MESSENGER_V2),
          1000,
          `0x00000001${word(USDC).slice(2)}${word(recipient).slice(2)}${hex(amount, 32)}${word(sender).slice(2)}${hex(100, 32)}${hex(FEE_V2, 32)}${hex(0, 32)}${hex(nonce, 2)}`,
        ],
      ),
    ],
  }),
};

const SPOKE = '0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5';
const SPOKE_ARBITRUM = '0xe35e9842fceaca96570b734083f4a58e8f7c5f2a';
const DEADLINE = Date.UTC(2024, 0, 1, 6) / 1_000;

export const across: ProtocolScript = {
  name: 'across',
  chains: ['ethereum', 'arbitrum'],
  emitters: [SPOKE],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount - 1_000n)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC, sender, SPOKE, amount),
      logs(
        SPOKE,
        'FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
        [
          word(USDC),
          word(USDC_ARBITRUM),
          amount,
          amount - 1_000n,
          42161,
          nonce,
          1,
          DEADLINE,
          0,
          word(sender),
          word(recipient),
          NO_WORD,
          '0x',
        ],
      ),
    ],
  }),
  destination: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC_ARBITRUM, SOLVER, recipient, amount - 1_000n),
      logs(
        SPOKE_ARBITRUM,
        'FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, (bytes32 updatedRecipient, bytes32 updatedMessageHash, uint256 updatedOutputAmount, uint8 fillType) relayExecutionInfo)',
        [
          word(USDC),
          word(USDC_ARBITRUM),
          amount,
          amount - 1_000n,
          1,
          1,
          nonce,
          DEADLINE,
          0,
          NO_WORD,
          word(SOLVER),
          word(sender),
          word(recipient),
          NO_WORD,
          [word(recipient), NO_WORD, amount - 1_000n, 0],
        ],
      ),
    ],
  }),
};

const STARGATE = '0xc026395860db2d07ee33e05fe50ed7bd583189c7';
export const STARGATE_ARBITRUM = '0xe8cdf27acd73a434d661c84887215f7598e7d0d3';
export const TOKEN_MESSAGING = '0x6d6620efa72948c5f68a3c8646d58c00d3f4a980';
const ENDPOINT = '0x1a44076050125825900e736c501f859c50fe728c';
const SENT =
  'OFTSent(bytes32 indexed guid, uint32 dstEid, address indexed fromAddress, uint256 amountSentLD, uint256 amountReceivedLD)';
const RECEIVED =
  'OFTReceived(bytes32 indexed guid, uint32 srcEid, address indexed toAddress, uint256 amountReceivedLD)';

export function oftSent(guid: string, sender: string, amount: bigint): Step[] {
  return [moves(USDC, sender, STARGATE, amount), logs(STARGATE, SENT, [guid, 30110, sender, amount, amount - 100n])];
}

export function oftReceived(guid: string, recipient: string, amount: bigint): Step[] {
  return [
    moves(USDC_ARBITRUM, STARGATE_ARBITRUM, recipient, amount - 100n),
    logs(STARGATE_ARBITRUM, RECEIVED, [guid, 30101, recipient, amount - 100n]),
  ];
}

export const layerzero: ProtocolScript = {
  name: 'layerzero',
  chains: ['ethereum', 'arbitrum'],
  emitters: [STARGATE],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount - 100n)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      logs(ENDPOINT, 'PacketSent(bytes encodedPayload, bytes options, address sendLibrary)', [
        `0x01${hex(nonce, 8)}${hex(30101, 4)}${word(TOKEN_MESSAGING).slice(2)}${hex(30110, 4)}${word(POOL).slice(2)}${idOf(nonce).slice(2)}010001${word(recipient).slice(2)}${hex(amount - 100n, 8)}`,
        '0x',
        POOL,
      ]),
      ...oftSent(idOf(nonce), sender, amount),
    ],
  }),
  destination: ({ recipient, amount, nonce }) => ({ steps: oftReceived(idOf(nonce), recipient, amount) }),
};

const CORE = '0x98f3c9e6e3face36baad05fe09d375ef1464288b';
const TOKEN_BRIDGE = '0x3ee18b2214aff97000d974cf647e7c347e8fa585';
const TOKEN_BRIDGE_ARBITRUM = '0x0b2402144bb366a632d14b83f244d2e0e21bd39c';

const wormholePayload = ({ recipient, amount }: Crossing) =>
  `01${hex(amount, 32)}${word(USDC).slice(2)}0002${word(recipient).slice(2)}0017${hex(0, 32)}`;

export const wormhole: ProtocolScript = {
  name: 'wormhole',
  chains: ['ethereum', 'arbitrum'],
  emitters: [CORE],
  backward: false,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['UNKNOWN', dollars(amount)],
  source: (one) => ({
    steps: [
      moves(USDC, one.sender, TOKEN_BRIDGE, one.amount),
      logs(
        CORE,
        'LogMessagePublished(address indexed sender, uint64 sequence, uint32 nonce, bytes payload, uint8 consistencyLevel)',
        [TOKEN_BRIDGE, one.nonce, 0, `0x${wormholePayload(one)}`, 1],
      ),
    ],
  }),
  destination: (one) => ({
    steps: [
      // The signed message, as the call carries it.
      {
        to: POOL,
        data: `0x01${hex(4, 4)}00${hex(1, 4)}${hex(0, 4)}0002${word(TOKEN_BRIDGE).slice(2)}${hex(one.nonce, 8)}01${wormholePayload(one)}`,
      },
      moves(WRAPPED, ZERO, one.recipient, one.amount),
      logs(
        TOKEN_BRIDGE_ARBITRUM,
        'TransferRedeemed(uint16 indexed emitterChainId, bytes32 indexed emitterAddress, uint64 indexed sequence)',
        [2, word(TOKEN_BRIDGE), one.nonce],
      ),
    ],
  }),
};

const CELER = '0x5427fefa711eff984124bfbb1ab6fbf5e3da1820';
const CELER_ARBITRUM = '0x1619de6b6b20ed217a58d00f37b9d47c7663feca';

export const celer: ProtocolScript = {
  name: 'celer',
  chains: ['ethereum', 'arbitrum'],
  emitters: [CELER],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount - 500n)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC, sender, CELER, amount),
      logs(
        CELER,
        'Send(bytes32 transferId, address sender, address receiver, address token, uint256 amount, uint64 dstChainId, uint64 nonce, uint32 maxSlippage)',
        [idOf(nonce), sender, recipient, USDC, amount, 42161, nonce, 5_000],
      ),
    ],
  }),
  destination: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC_ARBITRUM, CELER_ARBITRUM, recipient, amount - 500n),
      logs(
        CELER_ARBITRUM,
        'Relay(bytes32 transferId, address sender, address receiver, address token, uint256 amount, uint64 srcChainId, bytes32 srcTransferId)',
        [idOf(nonce + 9_000n), sender, recipient, USDC_ARBITRUM, amount - 500n, 1, idOf(nonce)],
      ),
    ],
  }),
};

const DLN_SOURCE = '0xef4fb24ad0916217251f553c0596f8edc630eb66';
const DLN_DESTINATION = '0xe7351fd770a37282b91d153ee690b63579d6dd7f';
const ORDER =
  '(uint64 a, bytes b, uint256 c, bytes d, uint256 e, uint256 f, bytes g, uint256 h, bytes i, bytes j, bytes k, bytes l, bytes m, bytes n) order';
const dlnOrder = ({ sender, recipient, amount, nonce }: Crossing) => [
  nonce,
  sender,
  1,
  USDC,
  amount - 100n,
  42161,
  USDT_ARBITRUM,
  amount - 3_000n,
  recipient,
  sender,
  recipient,
  '0x',
  '0x',
  '0x',
];

export const debridge: ProtocolScript = {
  name: 'debridge',
  chains: ['ethereum', 'arbitrum'],
  emitters: [DLN_SOURCE],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDT', dollars(amount - 3_000n)],
  source: (one) => ({
    steps: [
      moves(USDC, one.sender, DLN_SOURCE, one.amount),
      logs(
        DLN_SOURCE,
        `CreatedOrder(${ORDER}, bytes32 orderId, bytes affiliateFee, uint256 nativeFixFee, uint256 percentFee, uint32 referralCode, bytes metadata)`,
        [dlnOrder(one), idOf(one.nonce), '0x', 0, 100n, 0, '0x'],
      ),
    ],
  }),
  destination: (one) => ({
    steps: [
      moves(USDT_ARBITRUM, SOLVER, one.recipient, one.amount - 3_000n),
      logs(DLN_DESTINATION, `FulfilledOrder(${ORDER}, bytes32 orderId, address sender, address unlockAuthority)`, [
        dlnOrder(one),
        idOf(one.nonce),
        SOLVER,
        SOLVER,
      ]),
    ],
  }),
};

const ARBSYS = '0x0000000000000000000000000000000000000064';
const ARBITRUM_BRIDGE = '0x8315177ab297ba92a06054ce80a67ed4dbd7ed3a';
const OUTBOX = '0x0b9857ae2d4a3dbe74ffe1d7df045bb7f96e4840';
const ether = (raw: bigint) => formatUnits(raw, 18);

export const arbitrumExit: ProtocolScript = {
  name: 'arbitrum_native (exit)',
  chains: ['arbitrum', 'ethereum'],
  emitters: [ARBSYS],
  backward: false,
  sent: ({ amount }) => ['ETH', ether(amount)],
  received: ({ amount }) => ['ETH', ether(amount)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      {
        ...logs(
          ARBSYS,
          'L2ToL1Tx(address caller, address indexed destination, uint256 indexed hash, uint256 indexed position, uint256 arbBlockNum, uint256 ethBlockNum, uint256 timestamp, uint256 callvalue, bytes data)',
          [sender, recipient, 5, nonce, 1, 1, 1, amount, '0x'],
        ),
        value: amount,
      },
    ],
  }),
  destination: ({ sender, recipient, amount, nonce }) => ({
    at: ARBITRUM_BRIDGE,
    steps: [
      pays(recipient, amount),
      logs(
        OUTBOX,
        'OutBoxTransactionExecuted(address indexed to, address indexed l2Sender, uint256 indexed zero, uint256 transactionIndex)',
        [recipient, sender, 0, nonce],
      ),
    ],
  }),
};

const ARBITRUM_GATEWAYS = {
  arbitrum: '0x09e9222e96e7b4ae2a407b98d48e330053351eee',
  ethereum: '0xa3a7b6f88361f48403514059f1f16c8e78d60eec',
};
const exitCalls = new Interface([
  'function finalizeInboundTransfer(address token, address from, address to, uint256 amount, bytes data)',
]);
const L2_TO_L1 =
  'L2ToL1Tx(address caller, address indexed destination, uint256 indexed hash, uint256 indexed position, uint256 arbBlockNum, uint256 ethBlockNum, uint256 timestamp, uint256 callvalue, bytes data)';
const EXECUTED =
  'OutBoxTransactionExecuted(address indexed to, address indexed l2Sender, uint256 indexed zero, uint256 transactionIndex)';
const FINALIZED =
  'WithdrawalFinalized(address token, address indexed sender, address indexed recipient, uint256 indexed exit, uint256 amount)';

/** `gateways`: others than the registered ones, to be refused. */
export const arbitrumTokenExit = (gateways = ARBITRUM_GATEWAYS): ProtocolScript => ({
  name: 'arbitrum_native (token exit)',
  chains: ['arbitrum', 'ethereum'],
  emitters: [ARBSYS],
  backward: true,
  sent: ({ amount }) => ['USDC.e', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount)],
  source: ({ sender, recipient, amount, nonce }) => {
    const data = exitCalls.encodeFunctionData('finalizeInboundTransfer', [USDC, sender, recipient, amount, '0x']);
    return {
      steps: [
        moves(USDC_E_ARBITRUM, sender, ZERO, amount),
        logs(ARBSYS, L2_TO_L1, [gateways.arbitrum, gateways.ethereum, 5, nonce, 1, 1, 1, 0, data]),
      ],
    };
  },
  destination: ({ sender, recipient, amount, nonce }) => ({
    at: gateways.ethereum,
    steps: [
      logs(OUTBOX, EXECUTED, [gateways.ethereum, gateways.arbitrum, 0, nonce]),
      moves(USDC, gateways.ethereum, recipient, amount),
      logs(gateways.ethereum, FINALIZED, [USDC, sender, recipient, 0, amount]),
    ],
  }),
});

const OP_MESSENGER = '0x25ace71c97b33cc4729cf772ae268934f7ab5fa1';
const OP_BRIDGE = '0x99c9fc46f92e8a1c0dec1b1747d010903e884be1';
const L2_MESSENGER = '0x4200000000000000000000000000000000000007';
const L2_BRIDGE = '0x4200000000000000000000000000000000000010';
const opCalls = new Interface([
  'function finalizeBridgeERC20(address local, address remote, address from, address to, uint256 amount, bytes data)',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message)',
]);
const opNonce = (nonce: bigint) => (1n << 240n) | nonce;
const opMessage = ({ sender, recipient, amount }: Crossing) =>
  opCalls.encodeFunctionData('finalizeBridgeERC20', [USDC_E_OPTIMISM, USDC, sender, recipient, amount, '0x']);

export const optimismDeposit: ProtocolScript = {
  name: 'optimism_native (deposit)',
  chains: ['ethereum', 'optimism'],
  emitters: [OP_MESSENGER],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC.e', dollars(amount)],
  source: (one) => ({
    steps: [
      moves(USDC, one.sender, OP_BRIDGE, one.amount),
      logs(
        OP_MESSENGER,
        'SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)',
        [L2_BRIDGE, OP_BRIDGE, opMessage(one), opNonce(one.nonce), 200_000],
      ),
      logs(OP_MESSENGER, 'SentMessageExtension1(address indexed sender, uint256 value)', [OP_BRIDGE, 0]),
    ],
  }),
  destination: (one) => ({
    steps: [
      moves(USDC_E_OPTIMISM, ZERO, one.recipient, one.amount),
      logs(
        L2_BRIDGE,
        'ERC20BridgeFinalized(address indexed localToken, address indexed remoteToken, address indexed from, address to, uint256 amount, bytes extraData)',
        [USDC_E_OPTIMISM, USDC, one.sender, one.recipient, one.amount, '0x'],
      ),
      logs(L2_MESSENGER, 'RelayedMessage(bytes32 indexed msgHash)', [
        keccak256(
          opCalls.encodeFunctionData('relayMessage', [
            opNonce(one.nonce),
            OP_BRIDGE,
            L2_BRIDGE,
            0,
            200_000,
            opMessage(one),
          ]),
        ),
      ]),
    ],
  }),
};

const STATE_SENDER = '0x28e4f3a7f651294b9564800b2d01f35189a5bfbe';
const STATE_RECEIVER = '0x0000000000000000000000000000000000001001';
const CHILD_MANAGER = '0xa6fa4fb5f76172d178d61b04b0ecd319c5d1c0aa';

export const polygonDeposit: ProtocolScript = {
  name: 'polygon_native (deposit)',
  chains: ['ethereum', 'polygon'],
  emitters: [STATE_SENDER],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC.e', dollars(amount)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC, sender, POOL, amount),
      logs(STATE_SENDER, 'StateSynced(uint256 indexed id, address indexed contractAddress, bytes data)', [
        nonce,
        CHILD_MANAGER,
        coder.encode(
          ['bytes32', 'bytes'],
          [
            keccak256(Buffer.from('DEPOSIT')),
            coder.encode(['address', 'address', 'bytes'], [recipient, USDC, coder.encode(['uint256'], [amount])]),
          ],
        ),
      ]),
    ],
  }),
  destination: ({ recipient, amount, nonce }) => ({
    steps: [
      moves(USDC_E_POLYGON, ZERO, recipient, amount),
      logs(STATE_RECEIVER, 'StateCommitted(uint256 indexed stateId, bool success)', [nonce, true]),
    ],
  }),
};

const HOP_ETHEREUM = '0x3666f603cc164936c1b87e207f36beba4ac5f18a';
const HOP_ARBITRUM = '0x0e0e3d2c5c292161999474247956ef542cabf8dd';
const HOP_WRAPPER = '0xe22d2bedb3eca35e6397e0c6d62857094aa26f52';
const HOP_POOL_FEE = 700n;
const HOP_BONDER_FEE = 300n;

export const hop: ProtocolScript = {
  name: 'hop',
  chains: ['arbitrum', 'ethereum'],
  emitters: [HOP_ARBITRUM],
  backward: true,
  sent: ({ amount }) => ['USDC.e', dollars(amount)],
  received: ({ amount }) => ['USDC', dollars(amount - HOP_POOL_FEE - HOP_BONDER_FEE)],
  source: ({ sender, recipient, amount, nonce }) => ({
    steps: [
      moves(USDC_E_ARBITRUM, sender, HOP_WRAPPER, amount),
      moves(USDC_E_ARBITRUM, HOP_WRAPPER, POOL, amount),
      moves(HOP_TOKEN, POOL, HOP_WRAPPER, amount - HOP_POOL_FEE),
      moves(HOP_TOKEN, HOP_WRAPPER, ZERO, amount - HOP_POOL_FEE),
      logs(
        HOP_ARBITRUM,
        'TransferSent(bytes32 indexed transferId, uint256 indexed chainId, address indexed recipient, uint256 amount, bytes32 transferNonce, uint256 bonderFee, uint256 index, uint256 amountOutMin, uint256 deadline)',
        [idOf(nonce), 1, recipient, amount - HOP_POOL_FEE, idOf(nonce), HOP_BONDER_FEE, 0, 0, 0],
      ),
    ],
  }),
  destination: ({ recipient, amount, nonce }) => ({
    at: HOP_ETHEREUM,
    head: `23c452cd${word(recipient).slice(2)}${hex(amount - HOP_POOL_FEE, 32)}${idOf(nonce).slice(2)}${hex(HOP_BONDER_FEE, 32)}`,
    steps: [
      moves(USDC, HOP_ETHEREUM, recipient, amount - HOP_POOL_FEE - HOP_BONDER_FEE),
      logs(HOP_ETHEREUM, 'WithdrawalBonded(bytes32 indexed transferId, uint256 amount)', [
        idOf(nonce),
        amount - HOP_POOL_FEE,
      ]),
    ],
  }),
};

const HOP_OPTIMISM = '0xa81d244a1814468c734e5b4101f7b9c0c577a8fc';
const HOP_MESSENGER_WRAPPER = `0x${'68'.repeat(20)}`;
const hopCalls = new Interface([
  'function distribute(address recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address relayer, uint256 relayerFee)',
]);
const hopOrder = ({ recipient, amount }: Crossing) =>
  hopCalls.encodeFunctionData('distribute', [recipient, amount, 0, 0, SOLVER, 0]);

export const hopFromEthereum: ProtocolScript = {
  name: 'hop (from ethereum)',
  chains: ['ethereum', 'optimism'],
  emitters: [HOP_ETHEREUM],
  backward: true,
  sent: ({ amount }) => ['USDC', dollars(amount)],
  received: ({ amount }) => ['USDC.e', dollars(amount - HOP_POOL_FEE)],
  source: (one) => ({
    steps: [
      moves(USDC, one.sender, HOP_ETHEREUM, one.amount),
      logs(
        OP_MESSENGER,
        'SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)',
        [HOP_OPTIMISM, HOP_MESSENGER_WRAPPER, hopOrder(one), opNonce(one.nonce), 1_000_000],
      ),
      logs(OP_MESSENGER, 'SentMessageExtension1(address indexed sender, uint256 value)', [HOP_MESSENGER_WRAPPER, 0]),
      logs(
        HOP_ETHEREUM,
        'TransferSentToL2(uint256 indexed chainId, address indexed recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address indexed relayer, uint256 relayerFee)',
        [10, one.recipient, one.amount, 0, 0, SOLVER, 0],
      ),
    ],
  }),
  destination: (one) => ({
    steps: [
      moves(HOP_TOKEN, ZERO, HOP_OPTIMISM, one.amount),
      moves(HOP_TOKEN, HOP_OPTIMISM, POOL, one.amount),
      moves(USDC_E_OPTIMISM, POOL, one.recipient, one.amount - HOP_POOL_FEE),
      logs(
        HOP_OPTIMISM,
        'TransferFromL1Completed(address indexed recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address indexed relayer, uint256 relayerFee)',
        [one.recipient, one.amount, 0, 0, SOLVER, 0],
      ),
      logs(L2_MESSENGER, 'RelayedMessage(bytes32 indexed msgHash)', [
        keccak256(
          opCalls.encodeFunctionData('relayMessage', [
            opNonce(one.nonce),
            HOP_MESSENGER_WRAPPER,
            HOP_OPTIMISM,
            0,
            1_000_000,
            hopOrder(one),
          ]),
        ),
      ]),
    ],
  }),
};

const ROUTER = '0xd37bbe5744d730a1d98d8dc97c42f0ca46ad7146';
const ROUTER_BASE = '0x00dc6100103bc402d490aee3f9a5560cbd91f1d4';

export const thorchain: ProtocolScript = {
  name: 'thorchain',
  chains: ['ethereum', 'base'],
  emitters: [ROUTER],
  backward: true,
  sent: ({ amount }) => ['ETH', ether(amount)],
  received: ({ amount }) => ['USDC', dollars(amount * 2n)],
  source: ({ recipient, amount }) => ({
    steps: [
      {
        ...logs(ROUTER, 'Deposit(address indexed to, address indexed asset, uint256 amount, string memo)', [
          POOL,
          ZERO,
          amount,
          `=:BASE.USDC-${USDC_BASE.toUpperCase()}:${recipient}:0/1/0`,
        ]),
        value: amount,
      },
    ],
  }),
  destination: ({ recipient, amount }, source) => ({
    steps: [
      moves(USDC_BASE, ROUTER_BASE, recipient, amount * 2n),
      logs(
        ROUTER_BASE,
        'TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
        [POOL, recipient, USDC_BASE, amount * 2n, `OUT:${source.hash.slice(2).toUpperCase()}`],
      ),
    ],
  }),
};
