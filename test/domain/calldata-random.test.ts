import { solidityPacked } from 'ethers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCalldata } from '../../src/domain/calldata/calldata.ts';
import { KNOWN_CALLS } from '../../src/domain/calldata/calls.ts';
import { call } from './abi-encode.ts';

/** Containers within containers that are opened. */
const DEPTH_MAX = 4;

const TARGET = `0x${'70'.repeat(20)}`;
const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const MAX = 2n ** 256n - 1n;
const HASH = `0x${'11'.repeat(32)}`;

const faultsOf = (data: string) => decodeCalldata('ethereum', data, TARGET).faults.map(({ fault }) => fault);

const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((data) => Buffer.from(data).toString('hex'));
const selectors = fc.constantFrom(...KNOWN_CALLS.keys());
const addresses = /^0x[0-9a-f]{40}$/;
const sound = (data: string) => {
  const { actions, faults } = decodeCalldata('ethereum', data, TARGET);
  for (const action of actions) {
    for (const key of ['to', 'spender', 'owner', 'caller'] as const) {
      const value = (action as Record<string, unknown>)[key];
      if (value !== undefined && value !== null) expect(value).toMatch(addresses);
    }
  }
  return faults;
};

it('never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(bytes(600), (data) => void sound(`0x${data}`)),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (data) => void sound(data)),
    { numRuns: 2_000 },
  );
});

it('never throws for a known call with random words behind it', () => {
  const words = fc.array(
    fc.oneof(
      bytes(32).map((hex) => hex.padStart(64, '0')),
      fc.nat(640).map((n) => n.toString(16).padStart(64, '0')),
      fc.constantFrom('f'.repeat(64), '0'.repeat(64)),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(selectors, words, (selector, list) => void sound(`0x${selector}${list.join('')}`)),
    { numRuns: 5_000 },
  );
});

it('never throws for a batch of random bytes', () => {
  fc.assert(
    fc.property(bytes(400), (data) => void sound(call('multiSend(bytes)', `0x${data}`))),
    { numRuns: 3_000 },
  );
});

it('understands in full what another library encodes, at any depth that it opens', () => {
  const account = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((b) => `0x${Buffer.from(b).toString('hex')}`);
  const leaf = fc.oneof(
    fc.tuple(account, fc.bigInt({ min: 0n, max: MAX })).map(([to, n]) => call('transfer(address,uint256)', to, n)),
    fc.tuple(account, fc.boolean()).map(([to, yes]) => call('setApprovalForAll(address,bool)', to, yes)),
    fc
      .tuple(account, account, fc.array(fc.nat(), { maxLength: 5 }), bytes(70))
      .map(([from, to, ids, extra]) =>
        call('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', from, to, ids, ids, `0x${extra}`),
      ),
  );
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: DEPTH_MAX, depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }).map((calls) => call('multicall(bytes[])', calls)),
      fc
        .array(fc.tuple(account, tie('tree')), { maxLength: 3 })
        .map((calls) => call('tryAggregate(bool,(address,bytes)[])', true, calls)),
      fc
        .array(fc.tuple(account, tie('tree')), { maxLength: 3 })
        .map((calls) =>
          call(
            'multiSend(bytes)',
            `0x${calls.map(([to, data]) => solidityPacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [0, to, 0n, data.length / 2 - 1, data]).slice(2)).join('')}`,
          ),
        ),
    ),
  }));
  fc.assert(
    fc.property(tree, (data) => void expect(sound(data)).toEqual([])),
    { numRuns: 500 },
  );
});

it('never calls a cut or lengthened call understood', () => {
  const whole = call('safeTransferFrom(address,address,uint256,bytes)', ALICE, BOB, 1n, HASH);
  fc.assert(
    fc.property(fc.integer({ min: 4, max: (whole.length - 2) / 2 - 1 }), bytes(40), (length, more) => {
      expect(faultsOf(whole.slice(0, 2 + 2 * length))).not.toEqual([]);
      if (more !== '') expect(faultsOf(whole + more)).toEqual(['overlong']);
    }),
    { numRuns: 500 },
  );
});
