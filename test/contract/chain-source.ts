import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { AddressHistory, ChainSource } from '../../src/chains/port.ts';
import { addAmounts, formatUnits } from '../../src/domain/amount.ts';
import type { Chain } from '../../src/domain/chain.ts';
import type { HistoryList } from '../../src/domain/chains.ts';
import { compareTransfers, type Transfer, type TransferKind } from '../../src/domain/transfers/transfer.ts';
import { SourceError } from '../../src/errors.ts';
import { longestPause, PAUSE_MS_MAX } from '../setup/longest-pause.ts';
import { type ServedUpstream, serveUpstream, type Upstream, type UpstreamReply } from './upstream.ts';

/** What one adapter brings to the suite: a protocol-true source of its own and what that source knows. */
export interface ChainSourceCase {
  name: string;
  chain: Chain;
  open: (baseUrl: string, pageLimit: number) => ChainSource | Promise<ChainSource>;
  /** Created for each test. */
  upstream: () => Upstream;
  /** The form of an address in every answer. */
  canonical: RegExp;
  txHash: RegExp;
  /** An address whose history takes at least three pages at the page size that the adapter asks for. */
  paged: { address: string; transfers: number };
  /** An address with a short history of every kind, read again and again with corrupted replies; else `paged`. */
  mixed?: { address: string };
  /** The same source with a cursor that never moves on: every page is the first one again. */
  stuck: () => Upstream;
  unknown: { address: string; txHash: string };
  /** Left out for Bitcoin, which has no failed transactions. */
  failed?: { txHash: string };
  /** A transaction whose main transfer is worth more than 2^64 smallest units (undefined where no asset can be). */
  large?: { txHash: string; amountRaw: string };
  /** Left out for chains without tokens. `held` of the token's transfers lie in [from, to]. */
  token?: { token: string; address: string; from: number; to: number; held: number };
  /** Reasons for which even a full read is incomplete, e.g. `native_not_listed`. */
  alwaysMissing?: string[];
  /** Requests within which a reading around a transfer with one page of each list stays. */
  requestsAround?: number;
  /** True where a history of few pages is read whole, whatever part of it was asked for. */
  shortIsWhole?: boolean;
  /** True where the source lists nothing forward but what spends a receipt. */
  onlySpendings?: boolean;
  /** True where a list of the source names no block (TRON's TRC-20 list). */
  blocksMissing?: boolean;
}

const LIST_OF: Record<TransferKind, HistoryList | null> = {
  native: 'coin',
  internal: 'internal',
  token: 'tokens',
  nft: null,
  dex: null,
};

const GARBAGE: Record<string, string> = {
  'a web page': '<!doctype html><title>502</title>',
  'half an answer': '{"result":[{"hash":"0x',
  'nesting without end': '['.repeat(50_000),
  'a number': '7',
  'a text': '"ok"',
};

/** The same reply, its longest list repeated until it has about so many characters. */
function lengthened(reply: unknown, characters: number): unknown {
  const lists: unknown[][] = [];
  const json = JSON.parse(JSON.stringify(reply), (_, value) => {
    if (Array.isArray(value)) lists.push(value);
    return value;
  });
  const longest = lists.reduce<unknown[]>((best, list) => (list.length > best.length ? list : best), []);
  const times = longest.length === 0 ? 0 : Math.ceil(characters / JSON.stringify(longest).length);
  const items = [...longest];
  for (let i = 1; i < times; i++) for (const item of items) longest.push(item);
  return json;
}

/** The same reply with every number as text, but for the envelope of JSON-RPC. */
function numbersAsText(reply: unknown): unknown {
  const isEnvelope = (name: string) => name === 'id' || name === 'code';
  return JSON.parse(JSON.stringify(reply), (name, value) =>
    typeof value === 'number' && !isEnvelope(name) ? String(value) : value,
  );
}

/** What a chain does not have, such as failed transactions on Bitcoin, is not promised for it. */
function where(there: unknown): typeof it {
  return (there ? it : () => {}) as typeof it;
}

/** The promises that every chain adapter keeps, whatever its source does. */
export function describeChainSource(subject: ChainSourceCase): void {
  describe(`chain source: ${subject.name}`, () => {
    const served: ServedUpstream[] = [];
    afterEach(async () => {
      for (const server of served.splice(0)) await server.close();
    });
    const open = async (upstream: Upstream = subject.upstream(), pageLimit = 50) => {
      const server = await serveUpstream(upstream);
      served.push(server);
      return { source: await subject.open(server.url, pageLimit), server };
    };
    const missing = subject.alwaysMissing ?? [];

    it('reads a history of many pages whole, each transfer once, each with its evidence', async () => {
      const { source } = await open();
      let rows = 0;
      const onRows = (more: number) => {
        rows += more;
      };
      const history = await source.history(subject.paged.address, { onRows });
      expect(history.found).toBe(true);
      // What a history takes in memory is known while it is read.
      expect(rows).toBeGreaterThanOrEqual(history.transfers.length / 2);
      expect(history.transfers).toHaveLength(subject.paged.transfers);
      expect(history.coverage).toMatchObject({ complete: missing.length === 0, reasons: missing });
      expect(history.coverage.sources.length).toBeGreaterThan(0);
      expect(history.transactionCount).toBeGreaterThanOrEqual(
        new Set(history.transfers.map((transfer) => transfer.txHash)).size,
      );
      checkHistory(subject, history);
    });

    it('gives every transfer the same id each time', async () => {
      const first = await (await open()).source.history(subject.paged.address);
      const second = await (await open()).source.history(subject.paged.address);
      expect(second.transfers.map(({ id }) => id).sort()).toEqual(first.transfers.map(({ id }) => id).sort());
    });

    it('reads numbers that are written as text like the numbers', async () => {
      const upstream = subject.upstream();
      const { source } = await open(async (request) => {
        const reply = await upstream(request);
        return reply.json === undefined ? reply : { ...reply, json: numbersAsText(reply.json) };
      });
      const { address } = subject.mixed ?? subject.paged;
      const [expected, history] = [await (await open()).source.history(address), await source.history(address)];
      expect(history).toEqual(expected);
    });

    it('stops at the page limit and says so', async () => {
      const { source } = await open(subject.upstream(), 1);
      const history = await source.history(subject.paged.address);
      expect(history.transfers.length).toBeLessThan(subject.paged.transfers);
      expect(history.coverage.complete).toBe(false);
      expect(history.coverage.reasons).toContain('page_limit');
      checkHistory(subject, history);
    });

    it('ends with an error, not in a circle, when pages do not advance', async () => {
      const { source } = await open(subject.stuck());
      await expect(source.history(subject.paged.address)).rejects.toBeInstanceOf(SourceError);
    });

    it('tries again after HTTP 429 and 503 and then gives the whole answer', async () => {
      const upstream = subject.upstream();
      let asked = 0;
      const { source } = await open((request) => {
        asked += 1;
        if (asked === 1) return { status: 429, headers: { 'retry-after': '0' }, text: 'slow down' };
        if (asked === 3) return { status: 503, text: 'busy' };
        return upstream(request);
      });
      const history = await source.history(subject.paged.address);
      expect(history.transfers).toHaveLength(subject.paged.transfers);
    });

    it('gives up on a source that stays down', async () => {
      const { source, server } = await open(() => ({ status: 503, text: 'down' }));
      const error = await source.transaction(subject.unknown.txHash).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({
        status: 500,
        retryable: true,
        message: `Scan failed: ${subject.chain} data source unavailable`,
      });
      expect(server.requests.length).toBeGreaterThan(1);
    });

    it('ends when its signal says so, though the source never answers', async () => {
      const { source } = await open(() => ({ hang: true }));
      const reason = new Error('deadline');
      const given = new AbortController();
      const reading = source.history(subject.paged.address, { signal: given.signal });
      setTimeout(() => given.abort(reason), 100);
      await expect(reading).rejects.toBe(reason);
    });

    it.each(Object.keys(GARBAGE))('calls %s from the source what it is: unusable', async (kind) => {
      const { source } = await open(() => ({ text: GARBAGE[kind] }));
      await expect(source.history(subject.paged.address)).rejects.toBeInstanceOf(SourceError);
      await expect(source.transaction(subject.unknown.txHash)).rejects.toBeInstanceOf(SourceError);
    });

    it('keeps other work waiting for moments only for pages far longer than asked for', async () => {
      const upstream = subject.upstream();
      const prepared = new Map<string, UpstreamReply>();
      const { source } = await open(async (request) => {
        const key = `${request.url} ${JSON.stringify(request.body)}`;
        if (!prepared.has(key)) {
          const reply = await upstream(request);
          const json = reply.json === undefined ? undefined : lengthened(reply.json, 3 * 1024 * 1024);
          prepared.set(key, json === undefined ? reply : { ...reply, bytes: Buffer.from(JSON.stringify(json)) });
        }
        return prepared.get(key)!;
      }, 3);
      const read = () => source.history(subject.paged.address).catch(() => undefined);
      await read();
      const pauseMs = await longestPause(read);
      expect(pauseMs).toBeLessThan(PAUSE_MS_MAX);
    });

    it('never breaks on wrongly typed fields: a sound history or a source error', async () => {
      const { address } = subject.mixed ?? subject.paged;
      const holds = fc.asyncProperty(fc.nat(), async (start) => {
        const random = lcg(start);
        const upstream = subject.upstream();
        const { source } = await open(async (request) => {
          const reply = await upstream(request);
          if (reply.json === undefined) return reply;
          const text = corrupt(JSON.stringify(reply.json), random);
          return { ...reply, json: undefined, text };
        });
        const outcome = await source.history(address).catch((error: unknown) => error);
        await served.pop()?.close();
        if (outcome instanceof SourceError) return;
        expect(outcome).not.toBeInstanceOf(Error);
        checkHistory(subject, outcome as AddressHistory, address);
      });
      // A smaller number is another corruption, not a simpler one.
      await fc.assert(holds, { numRuns: 25, endOnFailure: true });
    });

    it('says of an address that nobody used that it was not found', async () => {
      const { source } = await open();
      const history = await source.history(subject.unknown.address);
      expect(history).toMatchObject({ found: false, transfers: [], transactionCount: 0 });
    });

    it('knows nothing of a transaction that does not exist', async () => {
      const { source } = await open();
      await expect(source.transaction(subject.unknown.txHash)).resolves.toBeNull();
    });

    it('says which part of each list it read whole, also where the page limit ended it', async () => {
      const whole = await (await open()).source.history(subject.paged.address);
      const lists = (await open()).source.lists;
      expect(whole.read).toHaveLength(lists.length);
      expect(whole.read).toEqual(expect.arrayContaining(lists.map((list) => ({ list, from: 0, to: null }))));
      const cut = await (await open(subject.upstream(), 1)).source.history(subject.paged.address);
      checkRead(cut, whole);
      expect(cut.read.some(({ from }) => from > 0)).toBe(true);
    });

    for (const direction of ['backward', 'forward'] as const) {
      it(`reads ${direction} from one transfer, and no more than it was allowed`, async () => {
        const { source, server } = await open();
        const whole = await source.history(subject.paged.address);
        const inOrder = whole.transfers.toSorted(compareTransfers);
        const middle = inOrder[Math.floor(inOrder.length / 2)]!;
        const { txHash, block, at } = middle;
        const onlySpendings = subject.onlySpendings && direction === 'forward';
        for (const pages of [1, 50]) {
          const asked = server.requests.length;
          const around = { direction, txHash, block, at, pages };
          const part = await source.historyAround(subject.paged.address, around);
          checkHistory(subject, part);
          expect(part.coverage.complete).toBe(pages === 50 && subject.shortIsWhole === true);
          expect(part.transfers.map(({ id }) => id)).toContain(middle.id);
          if (pages === 1 && onlySpendings) {
            expect(part.read).toEqual([]);
            expect(part.coverage.reasons).toContain('spendings_only');
            continue;
          }
          checkRead(part, whole);
          expect(part.read.map(({ list }) => list).sort()).toEqual([...source.lists].sort());
          for (const { from, to } of part.read) {
            if (subject.shortIsWhole && pages === 50) expect([from, to]).toEqual([0, null]);
            else if (direction === 'backward') expect([pages === 50 ? from : 0, to]).toEqual([0, at]);
            else expect([from, pages === 50 ? to : null]).toEqual([at, null]);
          }
          if (pages === 1) {
            expect(server.requests.length - asked).toBeLessThan(subject.requestsAround ?? 20);
            expect(part.transfers.length).toBeLessThan(whole.transfers.length);
          }
        }
      });
    }

    it('reads from the first transfer on, where the source says that it can', async () => {
      const { source } = await open();
      if (!source.readsOldestFirst) return;
      const whole = await source.history(subject.paged.address);
      const first = whole.transfers.toSorted(compareTransfers)[0]!;
      const beginning = { direction: 'forward', txHash: '', block: 0, at: 0 } as const;
      for (const pages of [1, 50]) {
        const part = await source.historyAround(subject.paged.address, { ...beginning, pages });
        checkHistory(subject, part);
        checkRead(part, whole);
        expect(part.transfers.map(({ id }) => id)).toContain(first.id);
        expect(part.read.map(({ list }) => list).sort()).toEqual([...source.lists].sort());
        for (const { from, to } of part.read) expect([from, pages === 50 ? to : null]).toEqual([0, null]);
        if (pages === 1) expect(part.transfers.length).toBeLessThan(whole.transfers.length);
      }
    });

    where(subject.failed)('shows a failed transaction as failed, and nothing in it as moved', async () => {
      const { source } = await open();
      const transaction = await source.transaction(subject.failed!.txHash);
      expect(transaction).toMatchObject({ status: 'failed', txHash: subject.failed!.txHash });
      for (const transfer of transaction?.transfers ?? []) {
        expect(transfer.failed).toBe(true);
        checkTransfer(subject, transfer);
      }
    });

    where(subject.large)('keeps amounts beyond 2^64 exact', async () => {
      const { source } = await open();
      const transaction = await source.transaction(subject.large!.txHash);
      expect(BigInt(subject.large!.amountRaw)).toBeGreaterThan(2n ** 64n);
      expect(transaction?.transfers[0]).toMatchObject({ amountRaw: subject.large!.amountRaw, failed: false });
      checkTransfer(subject, transaction!.transfers[0]!);
    });

    where(subject.token)('gives the newest transfers of a token between two dates', async () => {
      const { source } = await open();
      const { held, ...query } = subject.token!;
      const all = await source.tokenTransfers({ ...query, limit: 500 });
      expect(all.transfers).toHaveLength(held);
      expect(all.reasons).toEqual(missing.length > 0 && query.token === 'native' ? ['native_not_listed'] : []);
      const some = await source.tokenTransfers({ ...query, limit: held - 1 });
      expect(some.reasons).toContain('transfer_limit');
      expect(some.transfers.map(({ id }) => id)).toEqual(all.transfers.slice(0, held - 1).map(({ id }) => id));
      for (const [place, transfer] of all.transfers.entries()) {
        expect(transfer.at).toBeGreaterThanOrEqual(query.from);
        expect(transfer.at).toBeLessThanOrEqual(query.to);
        if (place > 0) expect(transfer.at).toBeLessThanOrEqual(all.transfers[place - 1]!.at);
        checkTransfer(subject, transfer);
      }
    });

    where(subject.token && subject.token.token !== 'native')(
      'gives the transfers of a token by anyone, those of the address among them',
      async () => {
        const { source } = await open();
        const { held: _, ...query } = subject.token!;
        const own = await source.tokenTransfers({ ...query, limit: 500 });
        const all = await source.tokenTransfers({ ...query, address: undefined, limit: 500 });
        expect(all.transfers.map(({ id }) => id)).toEqual(expect.arrayContaining(own.transfers.map(({ id }) => id)));
      },
    );
  });
}

function checkHistory(subject: ChainSourceCase, history: AddressHistory, address = subject.paged.address): void {
  const ids = new Set(history.transfers.map((transfer) => transfer.id));
  expect(ids.size).toBe(history.transfers.length);
  expect(history.transfers.flatMap((transfer) => faultsOf(subject, transfer))).toEqual([]);
  expect(history.transfers.filter(({ from, to }) => from !== address && to !== address)).toEqual([]);
  if (history.balance !== null) expect(addAmounts(history.balance, '0')).toBe(history.balance);
}

/** What lies in a span that counts as read is there. */
function checkRead(part: AddressHistory, whole: AddressHistory): void {
  const held = new Set(part.transfers.map(({ id }) => id));
  for (const { list, from, to } of part.read) {
    expect(from).toBeLessThanOrEqual(to ?? Number.MAX_SAFE_INTEGER);
    const inside = whole.transfers.filter(
      ({ kind, at }) => LIST_OF[kind] === list && at >= from && at <= (to ?? Number.MAX_SAFE_INTEGER),
    );
    const absent = inside.filter(({ id }) => !held.has(id));
    expect(absent, `${list} from ${from} to ${to}`).toEqual([]);
  }
}

function checkTransfer(subject: ChainSourceCase, transfer: Transfer): void {
  expect(faultsOf(subject, transfer), transfer.id).toEqual([]);
}

/** Names what is wrong with a transfer; one assertion for thousands of transfers costs less than ten for each. */
function faultsOf(subject: ChainSourceCase, transfer: Transfer): string[] {
  const { txHash, block, at, seq, amount, amountRaw, decimals } = transfer;
  const isCount = (n: number | null) => Number.isSafeInteger(n) && n! >= 0;
  const holds = {
    chain: transfer.chain === subject.chain,
    txHash: subject.txHash.test(txHash),
    id: /^[\w-]{22}$/.test(transfer.id),
    from: subject.canonical.test(transfer.from),
    to: subject.canonical.test(transfer.to),
    seq: seq === null ? transfer.index === null : isCount(seq),
    block: (subject.blocksMissing && block === null) || isCount(block),
    at: at > Date.UTC(2009, 0, 1) && at < Date.UTC(2200, 0, 1),
    asset: transfer.asset !== '',
    amount: /^\d+(\.\d*[1-9])?$/.test(amount),
    amountRaw: amountRaw === null || decimals === null || amount === formatUnits(BigInt(amountRaw), decimals),
    usd: transfer.usd === null,
  };
  return Object.entries(holds).flatMap(([what, isTrue]) => (isTrue ? [] : [`${what} of ${JSON.stringify(transfer)}`]));
}

/** Replaces one value of a JSON text by something of another kind. */
function corrupt(text: string, random: () => number): string {
  const value = /:("[^"\\]*"|-?\d+|true|false|null|\[\]|\{\})(?=[,}\]])/g;
  value.lastIndex = Math.floor(random() * text.length);
  const chosen = value.exec(text);
  if (!chosen || random() < 0.5) return text;
  const wrong = ['null', '-1', '{"a":[]}', '""', '"0x"', '"-5"', '1e400', '[[]]', 'true', `"${'9'.repeat(400)}"`];
  const at = chosen.index + 1;
  return text.slice(0, at) + wrong[Math.floor(random() * wrong.length)] + text.slice(at + chosen[1]!.length);
}

function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
