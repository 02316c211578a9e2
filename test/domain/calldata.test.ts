import { keccak_256 } from '@noble/hashes/sha3.js';
import { solidityPacked } from 'ethers';
import { describe, expect, it } from 'vitest';
import { decodeCalldata } from '../../src/domain/calldata/calldata.ts';
import { KNOWN_CALLS } from '../../src/domain/calldata/calls.ts';
import { call } from './abi-encode.ts';

/** Containers within containers that are opened. */
const DEPTH_MAX = 4;

const TARGET = `0x${'70'.repeat(20)}`;
const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const TOKEN = `0x${'cc'.repeat(20)}`;
const NOBODY = `0x${'0'.repeat(40)}`;
const MAX = 2n ** 256n - 1n;
const HASH = `0x${'11'.repeat(32)}`;

const read = (data: string) => decodeCalldata('ethereum', data, TARGET);
const actionsOf = (data: string) => read(data).actions;
const faultsOf = (data: string) => read(data).faults.map(({ fault }) => fault);

it('each selector is the hash of its signature', () => {
  for (const [selector, { signature }] of KNOWN_CALLS) {
    const hash = Buffer.from(keccak_256(Buffer.from(signature))).toString('hex');
    expect(selector, signature).toBe(hash.slice(0, 8));
  }
});

it('knows every call that a wallet meets before it signs', () => {
  const wanted =
    'a9059cbb 23b872dd 095ea7b3 39509351 a457c2d7 a22cb465 d505accf 8fcbaf0c e3ee160e ef55bec6 42842e0e b88d4fde ' +
    'f242432a 2eb2c2d6 87517c45 36c78516 2b67b570 2a2d80d1 30f28b7a edd9444b ac9650d8 5ae401dc 252dba42 82ad56cb ' +
    'bce38bd7 6a761202 8d80ff0a 4e71d92d 3158952e 372500ab 5fba79f5 a16f15c3 948cb719 3659cfe6 4f1ef286 f2fde38b ' +
    '38ed1739 18cbafe5 8803dbee 4a25d94a 5c11d795 791ac947 7ff36ab5 fb3bdb41 b6f9de95 414bf389 04e45aaf c04b8d59 ' +
    'b858183f 49404b7c';
  expect([...KNOWN_CALLS.keys()].sort()).toEqual(wanted.split(' ').sort());
});

/** Of a call by whoever signs, to the transaction's own target. */
const own = { caller: null, contract: null };

describe('what a call would do, encoded by another library', () => {
  const moved = (call: string, owner: string | null, to: string, signed = false) => ({
    kind: 'move',
    call,
    owner,
    to,
    signed,
    ...own,
  });
  const granted = (call: string, amount: bigint | null, bits = 256, collection = false) => ({
    kind: 'grant',
    call,
    spender: BOB,
    amount,
    bits,
    collection,
    ...own,
  });
  const revoked = (call: string, spender = BOB) => ({ kind: 'revoke', call, spender, ...own });
  const until = (call: string, moment: bigint) => ({ kind: 'lifetime', call, until: moment, ...own });
  const detail = (amount: bigint, expiration = 77n) => [TOKEN, amount, expiration, 3n];
  const single = 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)';
  const batch = 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)';

  it.each<[string, unknown[], unknown[]]>([
    ['transfer(address,uint256)', [BOB, 5n], [moved('transfer', null, BOB)]],
    ['transferFrom(address,address,uint256)', [ALICE, BOB, 5n], [moved('transferFrom', ALICE, BOB)]],
    ['safeTransferFrom(address,address,uint256)', [ALICE, BOB, 5n], [moved('safeTransferFrom', ALICE, BOB)]],
    [
      'safeTransferFrom(address,address,uint256,bytes)',
      [ALICE, BOB, 5n, '0x1234'],
      [moved('safeTransferFrom', ALICE, BOB)],
    ],
    [
      'safeTransferFrom(address,address,uint256,uint256,bytes)',
      [ALICE, BOB, 5n, 1n, '0x'],
      [moved('safeTransferFrom', ALICE, BOB)],
    ],
    [
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      [ALICE, BOB, [5n, 6n], [1n, 1n], HASH],
      [moved('safeBatchTransferFrom', ALICE, BOB)],
    ],
    ['transferFrom(address,address,uint160,address)', [ALICE, BOB, 5n, TOKEN], [moved('transferFrom', ALICE, BOB)]],
    [
      'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
      [5n, 1n, [TOKEN, ALICE], BOB, 9n],
      [moved('swapExactTokensForTokens', null, BOB)],
    ],
    [
      'swapExactETHForTokens(uint256,address[],address,uint256)',
      [1n, [TOKEN, ALICE], BOB, 9n],
      [moved('swapExactETHForTokens', null, BOB)],
    ],
    [
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
      [[TOKEN, ALICE, 3_000n, BOB, 5n, 1n, 0n]],
      [moved('exactInputSingle', null, BOB)],
    ],
    [
      'exactInput((bytes,address,uint256,uint256,uint256))',
      [['0x1234', BOB, 9n, 5n, 1n]],
      [moved('exactInput', null, BOB)],
    ],
    ['unwrapWETH9(uint256,address)', [1n, BOB], [moved('unwrapWETH9', null, BOB)]],
    ['approve(address,uint256)', [BOB, MAX], [granted('approve', MAX)]],
    ['approve(address,uint256)', [BOB, 0n], [revoked('approve')]],
    ['approve(address,uint256)', [NOBODY, 5n], [revoked('approve', NOBODY)]],
    ['increaseAllowance(address,uint256)', [BOB, 9n], [granted('increaseAllowance', 9n)]],
    ['increaseAllowance(address,uint256)', [BOB, 0n], [revoked('increaseAllowance')]],
    ['decreaseAllowance(address,uint256)', [BOB, MAX], [revoked('decreaseAllowance')]],
    ['setApprovalForAll(address,bool)', [BOB, true], [granted('setApprovalForAll', null, 256, true)]],
    ['setApprovalForAll(address,bool)', [BOB, false], [revoked('setApprovalForAll')]],
    [
      'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
      [ALICE, BOB, 8n, 99n, 27, HASH, HASH],
      [granted('permit', 8n), until('permit', 99n)],
    ],
    [
      'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
      [ALICE, BOB, 0n, MAX, 27, HASH, HASH],
      [revoked('permit')],
    ],
    [
      'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
      [ALICE, BOB, 1n, 0n, true, 27, HASH, HASH],
      [granted('permit', null), until('permit', MAX)],
    ],
    [
      'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
      [ALICE, BOB, 1n, 0n, false, 27, HASH, HASH],
      [revoked('permit')],
    ],
    [
      'approve(address,address,uint160,uint48)',
      [TOKEN, BOB, 4n, 50n],
      [granted('approve', 4n, 160), until('approve', 50n)],
    ],
    ['approve(address,address,uint160,uint48)', [TOKEN, BOB, 0n, 2n ** 48n - 1n], [revoked('approve')]],
    [
      single,
      [ALICE, [detail(4n), BOB, 88n], '0xabcd'],
      [granted('permit', 4n, 160), until('permit', 77n), until('permit', 88n)],
    ],
    [
      batch,
      [ALICE, [[detail(4n), detail(0n)], BOB, 88n], '0xabcd'],
      [granted('permit', 4n, 160), until('permit', 77n), until('permit', 88n), revoked('permit')],
    ],
    [
      'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
      [[[TOKEN, 5n], 1n, 99n], [BOB, 5n], ALICE, '0x'],
      [moved('permitTransferFrom', ALICE, BOB, true), until('permitTransferFrom', 99n)],
    ],
    [
      'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
      [
        [[[TOKEN, 5n]], 1n, 99n],
        [
          [BOB, 5n],
          [TOKEN, 6n],
        ],
        ALICE,
        '0x00',
      ],
      [
        moved('permitTransferFrom', ALICE, BOB, true),
        moved('permitTransferFrom', ALICE, TOKEN, true),
        until('permitTransferFrom', 99n),
      ],
    ],
    ...['transferWithAuthorization', 'receiveWithAuthorization'].map((name): [string, unknown[], unknown[]] => [
      `${name}(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)`,
      [ALICE, BOB, 5n, 0n, 99n, HASH, 27, HASH, HASH],
      [moved(name, ALICE, BOB, true), until(name, 99n)],
    ]),
    ...['claim', 'Claim', 'claimRewards', 'SecurityUpdate', 'Connect', 'connect'].map(
      (name): [string, unknown[], unknown[]] => [`${name}()`, [], [{ kind: 'lure', call: name, value: null, ...own }]],
    ),
    ['upgradeTo(address)', [BOB], [{ kind: 'control', call: 'upgradeTo', to: BOB, ...own }]],
    ['transferOwnership(address)', [BOB], [{ kind: 'control', call: 'transferOwnership', to: BOB, ...own }]],
    [
      'upgradeToAndCall(address,bytes)',
      [BOB, call('transferOwnership(address)', ALICE)],
      [
        { kind: 'control', call: 'upgradeToAndCall', to: BOB, ...own },
        { kind: 'control', call: 'transferOwnership', to: ALICE, ...own },
      ],
    ],
  ])('%s', (signature, args, actions) => {
    expect(read(call(signature, ...args))).toEqual({ actions, faults: [] });
  });
});

describe('calls inside calls', () => {
  const approve = call('approve(address,uint256)', BOB, 7n);
  const leaf = { kind: 'grant', call: 'approve', spender: BOB, amount: 7n, bits: 256, collection: false };

  it('a multicall calls in the name of its caller', () => {
    expect(actionsOf(call('multicall(bytes[])', [approve]))).toEqual([{ ...leaf, ...own }]);
    expect(actionsOf(call('multicall(uint256,bytes[])', 5n, [approve, approve]))).toHaveLength(2);
  });

  it.each([
    ['aggregate((address,bytes)[])', [[[TOKEN, approve]]]],
    ['aggregate3((address,bool,bytes)[])', [[[TOKEN, true, approve]]]],
    ['tryAggregate(bool,(address,bytes)[])', [false, [[TOKEN, approve]]]],
  ])('%s calls in its own name', (signature, args) => {
    const name = signature.slice(0, signature.indexOf('('));
    expect(read(call(signature, ...args))).toEqual({
      actions: [
        { kind: 'target', call: name, to: TOKEN, ...own },
        { ...leaf, caller: TARGET, contract: TOKEN },
      ],
      faults: [],
    });
  });

  const exec = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';
  const safe = (to: string, value: bigint, data: string, operation = 0, refund = NOBODY) =>
    call(exec, to, value, data, operation, 0n, 0n, 0n, NOBODY, refund, '0x1234');

  it('a Safe calls in its own name, sends coins, pays refunds and may lend itself to foreign code', () => {
    expect(actionsOf(safe(TOKEN, 0n, approve))).toEqual([
      { kind: 'target', call: 'execTransaction', to: TOKEN, ...own },
      { ...leaf, caller: TARGET, contract: TOKEN },
    ]);
    expect(
      actionsOf(safe(BOB, 5n, '0x', 0, ALICE)).map((action) => 'to' in action && [action.kind, action.to]),
    ).toEqual([
      ['move', ALICE],
      ['target', BOB],
      ['move', BOB],
    ]);
    expect(actionsOf(safe(BOB, 0n, '0x', 1))[0]).toMatchObject({ kind: 'control', to: BOB });
  });

  it('a call inside a Safe carries the value that the Safe gives it, not that of the transaction', () => {
    expect(actionsOf(safe(BOB, 0n, call('claim()')))[1]).toMatchObject({ kind: 'lure', value: 0n });
    expect(actionsOf(safe(BOB, 3n, call('claim()')))[2]).toMatchObject({ kind: 'lure', value: 3n });
    expect(actionsOf(call('multicall(bytes[])', [call('claim()')]))[0]).toMatchObject({ kind: 'lure', value: null });
  });

  const BATCHER = '0x9641d764fc13c8b624c04430c7356c1c7c8102e2';
  const packed = (...calls: [operation: number, to: string, value: bigint, data: string][]) =>
    solidityPacked(
      calls.flatMap(() => ['uint8', 'address', 'uint256', 'uint256', 'bytes']),
      calls.flatMap(([operation, to, value, data]) => [operation, to, value, (data.length - 2) / 2, data]),
    );
  const batch = (...calls: Parameters<typeof packed>) => call('multiSend(bytes)', packed(...calls));

  it('the calls of a batch are those of the Safe that lends itself to it, and the batch is not its master', () => {
    const data = batch([0, TOKEN, 0n, approve], [0, BOB, 5n, '0x'], [1, ALICE, 0n, '0x']);
    expect(read(safe(BATCHER, 0n, data, 1))).toEqual({
      actions: [
        { kind: 'target', call: 'execTransaction', to: BATCHER, ...own },
        { kind: 'target', call: 'multiSend', to: TOKEN, ...own },
        { ...leaf, caller: TARGET, contract: TOKEN },
        { kind: 'target', call: 'multiSend', to: BOB, ...own },
        { kind: 'move', call: 'multiSend', owner: null, to: BOB, signed: false, ...own },
        { kind: 'control', call: 'multiSend', to: ALICE, ...own },
      ],
      faults: [],
    });
    expect(actionsOf(safe(BOB, 0n, data, 1))[0]).toMatchObject({ kind: 'control', to: BOB });
  });

  it('a call in a batch carries the value that stands there', () => {
    const [, , lure] = actionsOf(batch([0, BOB, 3n, call('claim()')]));
    expect(lure).toMatchObject({ kind: 'lure', value: 3n });
  });

  it('names a batch that is cut, too long or malformed, and reads what comes before', () => {
    const whole = packed([0, TOKEN, 0n, approve], [0, BOB, 1n, '0x1234']);
    const decoded = (bytes: string) => read(call('multiSend(bytes)', bytes));
    for (const bytes of [whole.slice(0, -2), `${whole}00`, `${whole}${'00'.repeat(84)}`]) {
      const { actions, faults } = decoded(bytes);
      expect(faults).toContainEqual({ fault: 'truncated', call: 'multiSend' });
      expect(actions[1]).toEqual({ ...leaf, caller: TARGET, contract: TOKEN });
    }
    const endless = packed([0, TOKEN, 0n, '0x']).slice(0, -64) + 'f'.repeat(64);
    expect(decoded(endless).faults).toEqual([{ fault: 'truncated', call: 'multiSend' }]);
    expect(decoded(packed([2, BOB, 0n, '0x']))).toMatchObject({
      actions: [{ kind: 'control', to: BOB }],
      faults: [{ fault: 'dirty', call: 'multiSend' }],
    });
    const many = packed(...Array.from({ length: 257 }, (): [number, string, bigint, string] => [0, BOB, 0n, '0x']));
    expect(decoded(many).faults).toEqual([{ fault: 'too_many', call: 'multiSend' }]);
    expect(decoded('0x')).toEqual({ actions: [], faults: [] });
  });

  const nested = (depth: number) => {
    let data = approve;
    for (let i = 0; i < depth; i++) data = call('multicall(bytes[])', [data]);
    return data;
  };

  it(`opens ${DEPTH_MAX} containers and says when there are more`, () => {
    expect(read(nested(DEPTH_MAX))).toEqual({ actions: [{ ...leaf, ...own }], faults: [] });
    expect(read(nested(DEPTH_MAX + 1))).toEqual({ actions: [], faults: [{ fault: 'too_deep', call: 'multicall' }] });
  });

  it('reads no more than a bounded part of a multicall bomb', () => {
    const wide = call(
      'multicall(bytes[])',
      Array.from({ length: 400 }, () => approve),
    );
    const decoded = read(wide);
    expect(decoded.faults).toEqual([{ fault: 'too_many', call: 'approve' }]);
    expect(decoded.actions.length).toBeLessThan(256);

    // Each of 1,000 offsets points to the same inner multicall, which does so again.
    const bomb = (inner: string) => {
      const bytes = inner.slice(2);
      const item =
        (bytes.length / 2).toString(16).padStart(64, '0') + bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
      const offset = (1_000 * 32).toString(16).padStart(64, '0');
      return `0xac9650d8${'20'.padStart(64, '0')}${(1_000).toString(16).padStart(64, '0')}${offset.repeat(1_000)}${item}`;
    };
    const exploded = read(bomb(bomb(bomb(bomb(approve)))));
    expect(exploded.faults.map(({ fault }) => fault)).toContain('too_many');
    expect(exploded.actions.length).toBeLessThan(256);
  });

  it('one unreadable call does not hide the others', () => {
    const decoded = read(call('multicall(bytes[])', ['0xdeadbeef', approve, '0x12']));
    expect(decoded.actions).toEqual([{ ...leaf, ...own }]);
    expect(decoded.faults).toEqual([
      { fault: 'unknown_call', call: '0xdeadbeef' },
      { fault: 'no_selector', call: null },
    ]);
  });
});

describe('calldata that is not what it should be', () => {
  const transfer = call('transfer(address,uint256)', BOB, 5n);

  it('case and a missing prefix do not matter', () => {
    for (const data of [transfer.toUpperCase(), transfer.slice(2), `0X${transfer.slice(2)}`, ` ${transfer} `]) {
      expect(read(data)).toEqual(read(transfer));
    }
  });

  it('nothing is nothing to fear', () => {
    for (const data of ['', '0x']) expect(read(data)).toEqual({ actions: [], faults: [] });
  });

  it('odd or foreign characters are not hexadecimal', () => {
    for (const data of [`${transfer}0`, '0xzz', '0x12 34', 'hello!']) expect(faultsOf(data)).toEqual(['not_hex']);
  });

  it('names an unknown call by its selector, and one too short for any', () => {
    expect(read('0x12345678abcd').faults).toEqual([{ fault: 'unknown_call', call: '0x12345678' }]);
    expect(read('0x123456').faults).toEqual([{ fault: 'no_selector', call: null }]);
  });

  it('cut arguments are read as the machine would, with zeros behind them, and named', () => {
    for (let length = 10; length < transfer.length; length += 2) {
      expect(faultsOf(transfer.slice(0, length)), String(length)).toEqual(['truncated']);
    }
    const short = read(transfer.slice(0, 10 + 64));
    expect(short.actions).toMatchObject([{ kind: 'move', to: BOB }]);
  });

  it('more than the arguments is named', () => {
    for (const more of ['00', 'ff'.repeat(32), transfer.slice(2)])
      expect(faultsOf(transfer + more)).toEqual(['overlong']);
  });

  it('an address with bits above it is read all the same, and named', () => {
    const dirty = `0xa9059cbb${'01'.padEnd(24, '0')}${BOB.slice(2)}${'5'.padStart(64, '0')}`;
    expect(read(dirty)).toMatchObject({ actions: [{ to: BOB }], faults: [{ fault: 'dirty' }] });
    const bool = `0xa22cb465${BOB.slice(2).padStart(64, '0')}${'2'.padStart(64, '0')}`;
    expect(read(bool)).toMatchObject({ actions: [{ kind: 'grant' }], faults: [{ fault: 'dirty' }] });
    const wide = call('approve(address,uint256)', BOB, MAX).replace('0x095ea7b3', '0x87517c45') + 'f'.repeat(128);
    expect(faultsOf(wide)).toContain('dirty');
  });

  it('offsets and lengths beyond any calldata are named', () => {
    const far = `0xac9650d8${'f'.repeat(64)}`;
    const long = `0xac9650d8${'20'.padStart(64, '0')}${'f'.repeat(64)}`;
    for (const data of [far, long]) expect(faultsOf(data)).toContain('truncated');
  });

  it('chains without calldata say so', () => {
    for (const chain of ['bitcoin', 'solana', 'xrp'] as const) {
      expect(decodeCalldata(chain, transfer, 'x')).toEqual({
        actions: [],
        faults: [{ fault: 'no_calldata_chain', call: null }],
      });
    }
  });

  it('TRON shows its own address form, with and without its version byte', () => {
    const account = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const hex = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c';
    for (const word of [hex.padStart(64, '0'), `41${hex}`.padStart(64, '0')]) {
      const decoded = decodeCalldata('tron', `0xa9059cbb${word}${'5'.padStart(64, '0')}`, account);
      expect(decoded).toMatchObject({ actions: [{ kind: 'move', to: account }], faults: [] });
    }
  });
});
