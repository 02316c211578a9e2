import { type AbiFault, type AbiType, type AbiValue, argumentTypes } from './abi.ts';
import type { Action, CallStep, InnerCall } from './action.ts';

/** Swaps of the common routers: selector, signature, and where the receiver of what is bought stands. */
const SWAPS: readonly { selector: string; signature: string; receiverOf: (args: AbiValue[]) => string }[] = [
  ...[
    '38ed1739 swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
    '18cbafe5 swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
    '8803dbee swapTokensForExactTokens(uint256,uint256,address[],address,uint256)',
    '4a25d94a swapTokensForExactETH(uint256,uint256,address[],address,uint256)',
    '5c11d795 swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
    '791ac947 swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
  ].map((line) => swap(line, (args) => args[3] as string)),
  ...[
    '7ff36ab5 swapExactETHForTokens(uint256,address[],address,uint256)',
    'fb3bdb41 swapETHForExactTokens(uint256,address[],address,uint256)',
    'b6f9de95 swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)',
  ].map((line) => swap(line, (args) => args[2] as string)),
  ...[
    '414bf389 exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
    '04e45aaf exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  ].map((line) => swap(line, ([params]) => (params as AbiValue[])[3] as string)),
  ...[
    'c04b8d59 exactInput((bytes,address,uint256,uint256,uint256))',
    'b858183f exactInput((bytes,address,uint256,uint256))',
  ].map((line) => swap(line, ([params]) => (params as AbiValue[])[1] as string)),
  swap('49404b7c unwrapWETH9(uint256,address)', (args) => args[1] as string),
];

/** Describes a swap: the receiver gets what was bought with the caller's own money. */
function swapActions(call: string, receiver: string): Action[] {
  return [{ kind: 'move', call, owner: null, to: receiver, signed: false }];
}

function swap(line: string, receiverOf: (args: AbiValue[]) => string) {
  const space = line.indexOf(' ');
  return { selector: line.slice(0, space), signature: line.slice(space + 1), receiverOf };
}

export interface KnownCall {
  name: string;
  signature: string;
  types: AbiType[];
  read: (args: AbiValue[]) => CallStep[];
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
const NEVER = 2n ** 256n - 1n;

type Read<T extends AbiValue[]> = (call: string, ...args: T) => CallStep[];

/** Known calls by selector: the first eight hex digits of the Keccak-256 of the signature. */
export const KNOWN_CALLS: ReadonlyMap<string, KnownCall> = new Map([
  known('a9059cbb', 'transfer(address,uint256)', (call, to: string) => [move(call, null, to)]),
  known('23b872dd', 'transferFrom(address,address,uint256)', moveFrom),
  known('42842e0e', 'safeTransferFrom(address,address,uint256)', moveFrom),
  known('b88d4fde', 'safeTransferFrom(address,address,uint256,bytes)', moveFrom),
  known('f242432a', 'safeTransferFrom(address,address,uint256,uint256,bytes)', moveFrom),
  known('2eb2c2d6', 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', moveFrom),
  known('36c78516', 'transferFrom(address,address,uint160,address)', moveFrom),

  known('095ea7b3', 'approve(address,uint256)', (call, spender: string, amount: bigint) =>
    grant(call, spender, amount),
  ),
  known('39509351', 'increaseAllowance(address,uint256)', (call, spender: string, amount: bigint) =>
    grant(call, spender, amount),
  ),
  known('a457c2d7', 'decreaseAllowance(address,uint256)', (call, spender: string) => [
    { kind: 'revoke', call, spender },
  ]),
  known('a22cb465', 'setApprovalForAll(address,bool)', (call, spender: string, approved: boolean) => {
    if (!approved || spender === ZERO_ADDRESS) return [{ kind: 'revoke', call, spender }];
    return [{ kind: 'grant', call, spender, amount: null, bits: 256, collection: true }];
  }),
  known(
    'd505accf',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    (call, _owner: string, spender: string, amount: bigint, deadline: bigint) =>
      lasting(grant(call, spender, amount), deadline),
  ),
  known(
    '8fcbaf0c',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    (call, _holder: string, spender: string, _nonce: bigint, expiry: bigint, allowed: boolean) =>
      lasting(grant(call, spender, allowed ? null : 0n), expiry === 0n ? NEVER : expiry),
  ),
  known(
    '87517c45',
    'approve(address,address,uint160,uint48)',
    (call, _token: string, spender: string, amount: bigint, expiration: bigint) =>
      lasting(grant(call, spender, amount, 160), expiration),
  ),
  known(
    '2b67b570',
    'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    (call, _owner: string, permit: AbiValue[]) => {
      const [details, spender, deadline] = permit as [AbiValue[], string, bigint];
      return permitted(call, [details], spender, deadline);
    },
  ),
  known(
    '2a2d80d1',
    'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
    (call, _owner: string, permit: AbiValue[]) => {
      const [details, spender, deadline] = permit as [AbiValue[][], string, bigint];
      return permitted(call, details, spender, deadline);
    },
  ),

  ...['e3ee160e transferWithAuthorization', 'ef55bec6 receiveWithAuthorization'].map((line) => {
    const [selector = '', name = ''] = line.split(' ');
    return known(
      selector,
      `${name}(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)`,
      (call, owner: string, to: string, _value: bigint, _validAfter: bigint, validBefore: bigint) => [
        { kind: 'move', call, owner, to, signed: true },
        { kind: 'lifetime', call, until: validBefore },
      ],
    );
  }),
  known(
    '30f28b7a',
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    (call, permit: AbiValue[], details: AbiValue[], owner: string) => signedMoves(call, permit, [details], owner),
  ),
  known(
    'edd9444b',
    'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
    (call, permit: AbiValue[], details: AbiValue[][], owner: string) => signedMoves(call, permit, details, owner),
  ),

  known('ac9650d8', 'multicall(bytes[])', (_call, calls: string[]) => calls.map((data) => inner(data))),
  known('5ae401dc', 'multicall(uint256,bytes[])', (_call, _deadline: bigint, calls: string[]) =>
    calls.map((data) => inner(data)),
  ),
  known('252dba42', 'aggregate((address,bytes)[])', (call, calls: AbiValue[][]) => forwarded(call, calls)),
  known('82ad56cb', 'aggregate3((address,bool,bytes)[])', (call, calls: AbiValue[][]) => forwarded(call, calls)),
  known('bce38bd7', 'tryAggregate(bool,(address,bytes)[])', (call, _strict: boolean, calls: AbiValue[][]) =>
    forwarded(call, calls),
  ),
  known(
    '6a761202',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    (call, to: string, value: bigint, data: string, operation: bigint, ...rest: AbiValue[]) => {
      const refundReceiver = rest[4] as string;
      return [
        ...(refundReceiver === ZERO_ADDRESS ? [] : [move(call, null, refundReceiver)]),
        ...safeActions(call, { delegated: operation !== 0n, to, value, data }),
      ];
    },
  ),
  known('8d80ff0a', 'multiSend(bytes)', (call, packed: string) => {
    const { calls, fault } = unpackCalls(packed);
    return [
      ...calls.flatMap((one) => safeActions(call, one)),
      ...(fault ? [{ kind: 'unreadable' as const, fault }] : []),
    ];
  }),

  ...[
    '4e71d92d claim',
    '3158952e Claim',
    '372500ab claimRewards',
    '5fba79f5 SecurityUpdate',
    'a16f15c3 Connect',
    '948cb719 connect',
  ].map((line) => {
    const [selector = '', name = ''] = line.split(' ');
    return known(selector, `${name}()`, (call) => [{ kind: 'lure', call, value: null }]);
  }),
  ...SWAPS.map(({ selector, signature, receiverOf }) =>
    known(selector, signature, (call, ...args: AbiValue[]) => swapActions(call, receiverOf(args))),
  ),
  known('3659cfe6', 'upgradeTo(address)', control),
  known('f2fde38b', 'transferOwnership(address)', control),
  known('4f1ef286', 'upgradeToAndCall(address,bytes)', (call, to: string, data: string) => [
    ...control(call, to),
    inner(data),
  ]),
]);

function known<T extends AbiValue[]>(selector: string, signature: string, read: Read<T>): [string, KnownCall] {
  const name = signature.slice(0, signature.indexOf('('));
  return [
    selector,
    { name, signature, types: argumentTypes(signature), read: (args) => read(name, ...(args as unknown as T)) },
  ];
}

function move(call: string, owner: string | null, to: string): Action {
  return { kind: 'move', call, owner, to, signed: false };
}

function moveFrom(call: string, owner: string, to: string): Action[] {
  return [move(call, owner, to)];
}

function control(call: string, to: string): Action[] {
  return [{ kind: 'control', call, to }];
}

/** An allowance of nothing, or to nobody, is a revocation. */
function grant(call: string, spender: string, amount: bigint | null, bits: 160 | 256 = 256): Action[] {
  if (amount === 0n || spender === ZERO_ADDRESS) return [{ kind: 'revoke', call, spender }];
  return [{ kind: 'grant', call, spender, amount, bits, collection: false }];
}

/** Until when a grant holds; a revocation may hold for ever. */
function lasting(actions: Action[], ...until: bigint[]): Action[] {
  const [action] = actions;
  if (action?.kind !== 'grant') return actions;
  return [action, ...until.map((moment): Action => ({ kind: 'lifetime', call: action.call, until: moment }))];
}

function permitted(call: string, details: AbiValue[][], spender: string, deadline: bigint): Action[] {
  return details.flatMap((detail) => {
    const [, amount, expiration] = detail as [string, bigint, bigint];
    return lasting(grant(call, spender, amount, 160), expiration, deadline);
  });
}

function signedMoves(call: string, permit: AbiValue[], details: AbiValue[][], owner: string): Action[] {
  const moves = details.map(([to]): Action => ({ kind: 'move', call, owner, to: to as string, signed: true }));
  return [...moves, { kind: 'lifetime', call, until: permit[2] as bigint }];
}

/** A contract's call of itself: caller and value stay what they are. */
function inner(data: string): InnerCall {
  return { kind: 'inner', to: null, data, value: null, asContract: false };
}

/** Calls of `[address, …, bytes]` that a contract makes in its own name, without value. */
function forwarded(call: string, calls: AbiValue[][]): (Action | InnerCall)[] {
  return calls.flatMap((entry) => {
    const [to, data] = [entry[0] as string, entry.at(-1) as string];
    return [
      { kind: 'target', call, to },
      { kind: 'inner', to, data, value: 0n, asContract: true },
    ];
  });
}

/** A call that a Safe makes. */
interface SafeCall {
  /** The Safe lends itself to the code at `to`, which then acts in its name. */
  delegated: boolean;
  to: string;
  value: bigint;
  /** Hex without `0x`. */
  data: string;
}

/**
 * Contracts of Safe that do nothing but `multiSend`, at the same addresses on every chain: 1.3.0 with and without replay
 * protection of its deployment, 1.4.1; each in two forms. All else that a Safe lends itself to is its master.
 */
const BATCHERS: ReadonlySet<string> = new Set([
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
]);

const CALLS_MAX = 256;
/** Operation (1 byte), address (20), value (32) and length of the data (32), in hex digits. */
const [TO, VALUE, LENGTH, DATA] = [2, 42, 106, 170];

/** Returns what a call of a Safe does, and the call inside it. */
function safeActions(call: string, { delegated, to, value, data }: SafeCall): (Action | InnerCall)[] {
  if (delegated) {
    return [
      BATCHERS.has(to) ? { kind: 'target', call, to } : { kind: 'control', call, to },
      { kind: 'inner', to: null, data, value: null, asContract: false },
    ];
  }
  return [
    { kind: 'target', call, to },
    ...(value > 0n ? [{ kind: 'move' as const, call, owner: null, to, signed: false }] : []),
    { kind: 'inner', to, data, value, asContract: true },
  ];
}

/** The calls of `multiSend`, which stand one behind the other without padding. Reads as far as it can. */
function unpackCalls(packed: string): { calls: SafeCall[]; fault: AbiFault | null } {
  const calls: SafeCall[] = [];
  for (let at = 0; at < packed.length; ) {
    if (calls.length === CALLS_MAX) return { calls, fault: 'too_many' };
    const head = packed.slice(at, at + DATA);
    if (head.length < DATA) return { calls, fault: 'truncated' };
    const operation = head.slice(0, TO);
    const end = at + DATA + 2 * Number(BigInt(`0x${head.slice(LENGTH)}`));
    calls.push({
      delegated: operation !== '00',
      to: `0x${head.slice(TO, VALUE)}`,
      value: BigInt(`0x${head.slice(VALUE, LENGTH)}`),
      data: packed.slice(at + DATA, end),
    });
    if (operation !== '00' && operation !== '01') return { calls, fault: 'dirty' };
    if (end > packed.length) return { calls, fault: 'truncated' };
    at = end;
  }
  return { calls, fault: null };
}
