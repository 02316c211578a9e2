import { useEffect } from 'preact/hooks';
import { isChain } from '../../../src/domain/chain.ts';
import { PAIR_LIST } from '../../../src/domain/scene/bounds.ts';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import { count } from '../../browser/figures.ts';
import type { Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import {
  add,
  arrange,
  drawCounterparties,
  listWholePairs,
  openTransaction,
  recall,
  recallLevels,
} from '../../canvas-session/asks.ts';
import { type CanvasSession, openCanvasSession } from '../../canvas-session/canvas-session.ts';
import { type CarriedAnswer, takeCarried } from '../../canvas-session/carried.ts';
import { drawHolder } from '../../canvas-session/holder.ts';
import { startLayout } from '../../canvas-session/layout-client.ts';
import { leftDraft, loadBoard, type Saving, savingOf } from '../../canvas-session/saving.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { nodeKey, placeOf } from '../../scene/additions.ts';
import { begun, grown } from '../../scene/grow.ts';
import { keysOfRow, ofPairs, pairsAmong, pairsOfRows } from '../../scene/rows.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { CanvasStage } from './stage.tsx';

/**
 * `#/investigate` is an empty canvas, `#/investigate/<chain>/<address>` begins at the address, `#/investigate/transaction/<chain>:<hash>`
 * at a transaction, `#/investigate/entity/<id>` at a holder as one card, `#/investigate/board/<id>` opens a saved one.
 */
export function InvestigatePage({ route }: { route: Route }) {
  const [first = '', second = ''] = route.parts;
  return (
    <div class="wide full">
      <h1 class="visually-hidden">{words().investigate.title}</h1>
      <Workspace key={`${first}/${second}`} first={first} second={second} />
    </div>
  );
}

interface Opened {
  session: CanvasSession;
  saving: Saving;
}

/** Opens what the address of the page names, and shows it. */
function Workspace({ first, second }: { first: string; second: string }) {
  const { answer, error } = useAnswer((signal) => open(first, second, signal), []);
  useEffect(() => {
    startLayout();
  }, []);
  useEffect(
    () => () => {
      answer?.saving.close();
      answer?.session.close();
    },
    [answer],
  );
  if (error) return <ErrorNote error={error.message === 'scene' ? words().canvas.noScene : error} />;
  return answer ? <CanvasStage session={answer.session} saving={answer.saving} /> : <Loading />;
}

async function open(first: string, second: string, signal: AbortSignal): Promise<Opened> {
  const carried = takeCarried();
  const opened = await openPlace(first, second, carried !== null, signal);
  // A key that may not list scans draws without them.
  void recallLevels(opened.session, signal).catch(() => {});
  if (carried) await opened.session.run((asked) => drawCarried(opened.session, carried, asked));
  return opened;
}

/** Opens what was left unsaved in this entry of the history, unless a picture is carried here. */
async function openPlace(first: string, second: string, isCarried: boolean, signal: AbortSignal): Promise<Opened> {
  if (first === 'board') {
    const { board, scene } = await loadBoard(second, signal);
    const session = openCanvasSession(scene);
    const saving = savingOf(session, board);
    void recallAccount(session, signal).then(saving.recalled);
    return { session, saving };
  }
  const draft = isCarried ? null : await (first === 'draft' ? leftDraft(second) : leftDraft());
  const session = openCanvasSession(draft ?? EMPTY_SCENE);
  if (draft) void recallAccount(session, signal);
  else if (first === 'transaction') await beginWith(session, second);
  else if (first === 'entity') await beginWithHolder(session, second);
  else if (second && first !== 'draft') await beginAt(session, first, second);
  return { session, saving: savingOf(session, null) };
}

/** The account is not part of a saved picture: its rows come from the graph of today. */
async function recallAccount(session: CanvasSession, signal: AbortSignal): Promise<void> {
  await recall(session, signal).catch((refused: Error) => {
    session.error.value = refused;
  });
}

/** A transaction, named as `<chain>:<hash>`, with what it moved. */
async function beginWith(session: CanvasSession, name: string): Promise<void> {
  const { chain, address: hash } = placeOf(name);
  await session.run((signal) => openTransaction(session, { chain, hash }, signal));
  session.stage.value = { ...session.stage.value, past: [] };
}

/** Begins with a holder as one card, beside it those with whom it dealt. */
async function beginWithHolder(session: CanvasSession, id: string): Promise<void> {
  await session.run((signal) => drawHolder(session, id, signal));
  session.stage.value = { ...session.stage.value, past: [] };
}

/** The address with its counterparties, where the graph knows some; nothing is read from a chain. */
async function beginAt(session: CanvasSession, chain: string, address: string): Promise<void> {
  if (!isChain(chain)) throw new Error(words().canvas.unknownChain);
  session.learn((scene) => begun(scene, nodeKey(chain, address)));
  await session.run(async (signal) => {
    await drawCounterparties(session, { chain, address }, signal);
    await arrange(session);
  });
  // The picture begins here: there is nothing before it to go back to.
  session.stage.value = { ...session.stage.value, past: [] };
}

/** Pairs of a case's own addresses between which transfers are asked for: all of thirty on one chain. */
const OWN_PAIRS_MAX = 1_000;

/** Draws what moved between pairs of keys. Costs nothing. */
async function drawPairs(
  session: CanvasSession,
  pairs: ReturnType<typeof pairsOfRows>,
  signal: AbortSignal,
): Promise<void> {
  for (let start = 0; start < pairs.length; start += PAIR_LIST.pairs) {
    const answer = await listWholePairs(pairs.slice(start, start + PAIR_LIST.pairs), signal);
    session.learn((scene) => grown(scene, ofPairs(answer)));
    // Beyond what the service lists, a sum is of the largest transfers alone.
    const cut = answer.pairs.find(({ truncated }) => truncated);
    if (cut) session.notice.value = words().canvas.pairCut(count(cut.transfers.length), `${cut.from} → ${cut.to}`);
  }
}

/** Adds what another page found to the picture; of rows also what moved between their addresses. */
async function drawCarried(session: CanvasSession, carried: CarriedAnswer, signal: AbortSignal): Promise<void> {
  const isFirst = session.stage.value.scene.nodes.length === 0;
  if ('rows' in carried) {
    const nodes = carried.rows.flatMap((row) => keysOfRow(row).map((key) => ({ key })));
    session.edit((scene) => grown(scene, { nodes, flows: [] }, { alone: true }));
    await drawPairs(session, pairsOfRows(carried.rows).slice(0, PAIR_LIST.pairs), signal);
  } else {
    const { start, additions, own = [] } = carried;
    if (isFirst && start !== null) session.learn((scene) => begun(scene, start));
    // They stand by themselves, also where they would go into the bundle of a hub.
    if (own.length > 0) session.learn((scene) => grown(scene, { nodes: own, flows: [] }, { alone: true }));
    await add(session, additions, signal);
    const pairs = pairsAmong(own.map(({ key }) => key));
    await drawPairs(session, pairs.slice(0, OWN_PAIRS_MAX), signal);
    if (pairs.length > OWN_PAIRS_MAX)
      session.notice.value = words().canvas.pairsMax(count(OWN_PAIRS_MAX), count(pairs.length));
  }
  if (isFirst) await arrange(session);
}
