import { type AbiType, type AbiValue, argumentTypes } from './abi.ts';
import type { Action, CallStep, InnerCall } from './action.ts';
import { safeActions, unpackCalls } from './safe.ts';
import { SWAPS, swapActions } from './swaps.ts';

export interface KnownCall {
  name: string;
  signature: string;
  types: AbiType[];
  read: (args: AbiValue[]) => CallStep[];
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
const NEVER = 2n ** 256n - 1n;

type Read<T extends AbiValue[]> = (call: string, ...args: T) => CallStep[];

/** By selector, the first eight hex digits of the Keccak-256 of the signature. */
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
