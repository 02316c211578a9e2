import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openGraphQuestions } from '../../src/graph/graph-questions.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { listCounterparties } from '../../src/questions/graph/list-counterparties.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { findFlowPath } from '../../src/tracing/answers/paths/find-flow-path.ts';
import { asOperator } from '../../src/tracing/read/inquiry.ts';
import { isMet, table } from '../table.ts';
import { startTiming } from '../timing.ts';

const ROUNDS = 7;
/** The first rounds warm caches and compilers. */
const WARM = 2;
const HUB_TRANSFERS = 5_000;
/** Rates with holders by those without. */
const INGEST_MIN = 0.8;
const QUESTION_MIN = 1 / 1.1;

const chain = 'bitcoin';
const WALLETS = 300;
const PAYMENTS = 6_000;
const ASKED = 25;

type Pays = { from: string; to: string; tx: number; joint: boolean };

function payment({ from, to, tx, joint }: Pays): Transfer {
  return createTransfer({
    ...{
      chain,
      txHash: tx.toString(16).padStart(64, '0'),
      index: `in:${from}`,
      block: 700_000 + tx,
      position: tx % 200,
    },
    ...{
      at: 1_700_000_000_000 + tx * 600_000,
      from,
      to,
      asset: 'BTC',
      amount: '1.25',
      amountRaw: '125000000',
      decimals: 8,
    },
    ...{ usd: 2_500.5, kind: 'native', apportioned: true, joint: joint || null },
  });
}

/** Payments around a hub, by how many payers spend together. */
const SHAPES: Record<string, (i: number) => Omit<Pays, 'joint' | 'tx'> & { nth: number }> = {
  'hub paid by pairs': (i) => ({ from: `w${i}`, to: 'hub', nth: Math.floor(i / 2) }),
  'hub paid by tens': (i) => ({ from: `w${i}`, to: 'hub', nth: Math.floor(i / 10) }),
  'hub spends with others': (i) => {
    const nth = Math.floor(i / 2);
    return { from: i % 2 ? 'hub' : `w${i}`, to: `shop${nth}`, nth };
  },
};

/**
 * Prints the CPU that joint spends around a hub cost to ingest, and that questions about addresses take in a graph with holders,
 * beside the same transfers where nothing shows who spent together. The embedded engine alone: its work is this process's. Fails
 * where holders cost more than they may.
 */
export async function benchHolders(): Promise<void> {
  const rows = [...(await benchIngest()), ...(await benchQuestions())];
  const cells = rows.map(({ name, with: joint, without, min }) => {
    const ratio = without / joint;
    if (ratio < min) process.exitCode = 1;
    return [name, without.toFixed(1), joint.toFixed(1), ratio.toFixed(2), `${min.toFixed(2)} ${isMet(ratio >= min)}`];
  });
  table(['CPU, least of five rounds', 'without, ms', 'with holders, ms', 'rate', 'at least'], cells);
}

interface Compared {
  name: string;
  with: number;
  without: number;
  min: number;
}

/** Takes both in turn, so that whatever else the machine does slows each. */
async function compared(name: string, min: number, work: (joint: boolean, round: number) => Promise<unknown>) {
  const least = { with: Number.POSITIVE_INFINITY, without: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['with', 'without'] as const) {
      const timing = startTiming();
      await work(kind === 'with', round);
      const { cpuMicros } = timing(1_000);
      if (round >= WARM) least[kind] = Math.min(least[kind], cpuMicros);
    }
  }
  return { name, ...least, min } satisfies Compared;
}

async function benchIngest(): Promise<Compared[]> {
  const rows: Compared[] = [];
  for (const [name, shape] of Object.entries(SHAPES)) {
    const scans = [true, false].map((joint) =>
      Array.from({ length: ROUNDS }, (_, round) =>
        Array.from({ length: HUB_TRANSFERS }, (_, i) => {
          const { from, to, nth } = shape(i);
          return payment({ from: `${from}r${round}`, to: `${to}r${round}`, tx: round * HUB_TRANSFERS + nth, joint });
        }),
      ),
    );
    const graphs = [await openGrafeo({ path: null }), await openGrafeo({ path: null })];
    const at = (joint: boolean) => (joint ? 0 : 1);
    rows.push(
      await compared(`ingest, ${name}`, INGEST_MIN, (joint, round) =>
        ingestTransfers(graphs[at(joint)]!, scans[at(joint)]![round]!),
      ),
    );
    for (const graph of graphs) await graph.close();
  }
  return rows;
}

/** Wallets of ten addresses that pay each other from two of them at a time. */
function wallets(joint: boolean): Transfer[] {
  return Array.from({ length: PAYMENTS }, (_, tx) => {
    const [payer, payee] = [(tx * 7) % WALLETS, (tx * 13 + 5) % WALLETS];
    const to = `w${payee}a${tx % 10}`;
    return [0, 1].map((i) => payment({ from: `w${payer}a${(tx + i) % 10}`, to, tx, joint }));
  })
    .flat()
    .filter(({ from, to }) => from !== to);
}

async function benchQuestions(): Promise<Compared[]> {
  const log = pino({ level: 'silent' });
  const own = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true, log });
  const open = async (joint: boolean) => {
    const graph = await openGrafeo({ path: null });
    await ingestTransfers(graph, wallets(joint));
    return { graph, ctx: { ...own, graph, graphQuestions: openGraphQuestions(graph) } satisfies Context };
  };
  const worlds = { with: await open(true), without: await open(false) };
  const asked = Array.from({ length: ASKED }, (_, i) => `w${(i * 11) % WALLETS}a${i % 10}`);
  const inquiry = (joint: boolean) => asOperator(worlds[joint ? 'with' : 'without'].ctx);
  const limit = 20;
  const questions: Record<string, (joint: boolean, address: string) => Promise<unknown>> = {
    exposure: (joint, address) => getExposure(inquiry(joint), { chain, address, maxHops: 3, limit }),
    account: (joint, address) =>
      getFunds(inquiry(joint), { keys: [addressKey(chain, address)], direction: 'received', maxHops: 5, lang: 'en' }),
    terminals: (joint, address) =>
      getTerminals(inquiry(joint), { chain, address, maxHops: 3, categories: ['exchange'], limit }),
    counterparties: (joint, address) => listCounterparties(inquiry(joint), { chain, address, limit }),
    paths: (joint, from) =>
      findFlowPath(inquiry(joint), {
        ...{
          chain,
          from,
          to: asked[0]!,
          maxHops: 4,
          minUsd: 0,
          timeOrdered: true,
          maxPaths: 1,
          throughServices: false,
        },
      }),
  };
  const rows: Compared[] = [];
  for (const [name, ask] of Object.entries(questions)) {
    const all = async (joint: boolean) => {
      for (const address of asked) await ask(joint, address);
    };
    rows.push(await compared(`${name}, ${ASKED} addresses`, QUESTION_MIN, all));
  }
  for (const { graph } of Object.values(worlds)) await graph.close();
  await own.close();
  return rows;
}
