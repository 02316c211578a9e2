import { FLOW_TRANSFERS_MAX, PAIR_LIST, SCENE_NODES_MAX } from '../../src/domain/scene/bounds.ts';
import type { Scene, SceneAddress, SceneFlow } from '../../src/domain/scene/scene.ts';
import { count } from '../browser/figures.ts';
import { language, words } from '../browser/words.ts';
import {
  type Additions,
  nodeKey,
  ofCounterparties,
  ofFunds,
  ofOpened,
  ofParties,
  ofPath,
  ofTerminals,
  ofTransaction,
  ofTransfers,
  placeOf,
} from '../scene/additions.ts';
import { moveTo } from '../scene/edits.ts';
import { begun, followedFrom, grown, informed } from '../scene/grow.ts';
import { setApart } from '../scene/place.ts';
import type { Edit } from '../scene/stage.ts';
import type { Scans } from '../service/answers.ts';
import { apiPath, call } from '../service/api.ts';
import { followJob } from '../service/jobs.ts';
import { followScan } from '../service/scan-address.ts';
import type {
  AddressFunds,
  Exposures,
  FlowPaths,
  GraphCounterparties,
  OpenedTransaction,
  PairTransfers,
  Relationship,
  Terminals,
  TraceJob,
  TraceResults,
} from '../service/tracing-answers.ts';
import type { CanvasSession } from './canvas-session.ts';
import { arrangeScene } from './layout-client.ts';

type FollowedMoney = NonNullable<Scene['followed']>;

/** Counterparties that one expansion asks for. */
const COUNTERPARTIES_MAX = 500;
const SCANS_MAX = 100;
/** The account goes as far as the graph is asked at all: it costs nothing. */
const HOPS = { exposure: 5, terminals: 10, funds: 15 };

/** Draws the counterparties of an address. Costs nothing. */
export async function drawCounterparties(
  session: CanvasSession,
  place: SceneAddress,
  signal: AbortSignal,
): Promise<void> {
  const answer = await counterpartiesOf(place, signal);
  await add(session, ofCounterparties(answer), signal);
  if (answer.truncated)
    session.notice.value = words().canvas.truncated(count(answer.counterparties.length), count(answer.total));
}

/** Draws some counterparties of an address, each by itself, as one step. Costs nothing. */
export async function drawParties(
  session: CanvasSession,
  chosen: GraphCounterparties,
  signal: AbortSignal,
): Promise<void> {
  session.edit((scene) => grown(scene, ofCounterparties(chosen), { single: true }));
  warnWhereFull(session);
  await listTransfers(session, signal);
}

/** Reads an address from its chain, which costs a scan, then draws its counterparties. */
export async function readAddress(session: CanvasSession, place: SceneAddress, signal: AbortSignal): Promise<void> {
  await scan(session, place, 'off', signal);
  await drawCounterparties(session, place, signal);
}

/** Reads an address at which the followed money was lost, and on from there as far as one scan does, and follows it again. */
export async function readAndFollow(session: CanvasSession, place: SceneAddress, signal: AbortSignal): Promise<void> {
  await scan(session, place, 'on', signal);
  const { followed } = session.stage.value.scene;
  if (followed) await drawFunds(session, followed, signal);
}

export interface TraceLimits {
  direction: string;
  max_addresses: number;
  max_hops: number;
}

/** Reads what the graph is missing of the money of an address, each address for a scan, then draws its account. */
export async function traceAndFollow(
  session: CanvasSession,
  { chain, address }: SceneAddress,
  limits: TraceLimits,
  onProgress: (trace: TraceJob) => void,
  signal: AbortSignal,
): Promise<void> {
  const body = { chain, address, ...limits };
  const { job_id } = await call<{ job_id: string }>('/graph/trace', { method: 'POST', body, signal });
  await followJob<TraceJob>(apiPath`/graph/trace/${job_id}`, onProgress, signal);
  const results = await call<TraceResults>(apiPath`/graph/trace/${job_id}/results`, { signal });
  forgetOpened(session);
  const direction = limits.direction === 'received' ? 'received' : 'sent';
  await drawFunds(session, { key: nodeKey(chain, address), direction }, signal);
  session.learn((scene) => informed(scene, ofOpened(results)));
}

/** Draws where the money of an address, or of one payment, went or came from, and keeps the account. Costs nothing. */
export async function drawFunds(session: CanvasSession, asked: FollowedMoney, signal: AbortSignal): Promise<void> {
  const answer = await fundsOf(asked, signal);
  session.funds.value = answer;
  const followed = { ...asked, key: nodeKey(answer.chain, answer.address) };
  const isFirst = session.stage.value.scene.flows.every(({ share }) => share === null);
  session.edit((scene) => followedFrom(scene, followed, ofFunds(answer)));
  warnWhereFull(session);
  if (isFirst && answer.flows.length > 0) await arrange(session);
}

/** Asks for the levels of the last scans, which the cards bear. */
export async function recallLevels(session: CanvasSession, signal: AbortSignal): Promise<void> {
  const { scans } = await call<Scans>('/public/scans', { query: { limit: SCANS_MAX }, signal });
  const known = scans.map(({ chain, address, risk_level }) => [nodeKey(chain, address), risk_level] as const);
  // The newest comes first.
  session.levels.value = new Map(known.toReversed());
}

/** Asks for what a saved scene does not hold: the account of its money, and what has been read since. */
export async function recall(session: CanvasSession, signal: AbortSignal): Promise<void> {
  const { followed, nodes, flows } = session.stage.value.scene;
  if (followed) session.funds.value = await fundsOf(followed, signal);
  const unread = new Set(nodes.filter(({ read }) => read === false).map(({ key }) => key));
  const pairs = flows.filter((flow) => isListable(flow) && (unread.has(flow.from) || unread.has(flow.to)));
  if (pairs.length === 0) return;
  const answer = await listPairs(pairs.slice(0, PAIR_LIST.pairs), signal);
  session.learn((scene) => informed(scene, ofTransfers(answer)));
}

export async function showExposure(
  session: CanvasSession,
  { chain, address }: SceneAddress,
  signal: AbortSignal,
): Promise<Exposures> {
  const query = { chain, max_hops: HOPS.exposure, lang: language.value, cypher: 'on' };
  const answer = await call<Exposures>(apiPath`/exposure/${address}`, { query, signal });
  await add(session, ofParties(answer), signal);
  return answer;
}

export async function findTerminals(
  session: CanvasSession,
  { chain, address }: SceneAddress,
  signal: AbortSignal,
): Promise<Terminals> {
  const query = { chain, max_hops: HOPS.terminals, cypher: 'on' };
  const answer = await call<Terminals>(apiPath`/exposure/${address}/terminals`, { query, signal });
  await add(session, ofTerminals(answer), signal);
  return answer;
}

export interface AskedPair {
  from: string;
  chain: string;
  to: string;
  toChain: string;
}

export async function findPaths(session: CanvasSession, { from, chain, to, toChain }: AskedPair, signal: AbortSignal) {
  const body = { from_address: from, chain, to_address: to, to_chain: toChain || chain, cypher: 'on' };
  const found = await call<FlowPaths>('/graph/flow-path', { method: 'POST', body, signal });
  const hops = found.paths.flatMap((path) => path.hops);
  if (hops.length > 0) await add(session, ofPath(hops), signal);
  return found;
}

export async function checkPair(session: CanvasSession, { from, chain, to, toChain }: AskedPair, signal: AbortSignal) {
  const body = { address_a: from, chain, address_b: to, chain_b: toChain || chain, cypher: 'on' };
  const found = await call<Relationship>('/graph/relationship-check', { method: 'POST', body, signal });
  if (found.shortest_path) await add(session, ofPath(found.shortest_path.hops), signal);
  return found;
}

/** Draws a transaction with all that it moved, as one step; it is chosen. Costs nothing. */
export async function openTransaction(
  session: CanvasSession,
  { chain, hash }: { chain: string; hash: string },
  signal: AbortSignal,
) {
  const answer = await partsOf({ chain, address: hash }, signal);
  session.opened.value = new Map(session.opened.value).set(nodeKey(answer.chain, answer.tx_hash), answer);
  const found = ofTransaction(answer, new Date().toISOString());
  const { scene: before, past } = session.stage.value;
  const isFirst = before.nodes.length === 0;
  const paid = found.flows.filter(({ part }) => part !== 'gave').sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0));
  // Following money begins at an address: who was paid most by another.
  const start = (paid.find(({ part }) => part === 'paid') ?? paid[0])?.to ?? found.flows[0]?.from;
  if (isFirst && start !== undefined) session.learn((scene) => begun(scene, start));
  session.edit((scene) => grown(scene, found, { alone: true }));
  warnWhereFull(session);
  await listTransfers(session, signal);
  if (isFirst) {
    await arrange(session);
    // Drawing and arranging are one step.
    session.stage.value = { ...session.stage.value, past: [...past, before] };
  }
  session.chosen.value = new Set([nodeKey(answer.chain, answer.tx_hash)]);
}

/** Asks for what a transaction moved. */
export function partsOf(
  { chain, address: hash }: { chain: string; address: string },
  signal: AbortSignal,
): Promise<OpenedTransaction> {
  return call<OpenedTransaction>(apiPath`/graph/transaction/${hash}/parts`, { query: { chain }, signal });
}

/** All transfers of one flow that the graph knows, as far as one answer lists them. */
export async function transfersOf(flow: SceneFlow, signal: AbortSignal): Promise<SceneFlow['transfers']> {
  const body = { pairs: [pairOf(flow)], limit: 1_000 };
  const { pairs } = await call<PairTransfers>('/graph/transfers', { method: 'POST', body, signal });
  return pairs[0]?.transfers ?? [];
}

/** Draws flows between addresses that are drawn already. */
export async function connect(
  session: CanvasSession,
  places: readonly SceneAddress[],
  signal: AbortSignal,
): Promise<void> {
  for (const place of places) {
    const answer = await counterpartiesOf(place, signal);
    session.learn((scene) => grown(scene, ofCounterparties(answer), { drawnOnly: true }));
  }
  await listTransfers(session, signal);
}

/** Adds addresses to the picture, with what moved between them and it, as one step, and chooses them. Costs nothing. */
export async function drawPlaces(
  session: CanvasSession,
  places: readonly SceneAddress[],
  signal: AbortSignal,
): Promise<void> {
  const keys = places.map(({ chain, address }) => nodeKey(chain, address));
  const answers = await Promise.all(places.map((place) => counterpartiesOf(place, signal)));
  const found = answers.map(ofCounterparties);
  session.edit((scene) => {
    const drawn = new Set([...scene.nodes.map(({ key }) => key), ...keys]);
    const nodes = found.flatMap((one) => one.nodes).filter(({ key }) => drawn.has(key));
    const flows = found.flatMap((one) => one.flows).filter(({ from, to }) => drawn.has(from) && drawn.has(to));
    const own = keys.map((key) => ({ key }));
    return grown(scene, { nodes: [...own, ...nodes], flows }, { alone: true });
  });
  warnWhereFull(session);
  session.chosen.value = new Set(keys);
  await listTransfers(session, signal);
}

export async function arrange(session: CanvasSession, move = session.edit): Promise<void> {
  const places = await arrangeScene(session.stage.value.scene, session.room());
  move(moveTo(places));
  session.fits.value += 1;
}

/** Changes groups. Members that stood as one card are set apart once each is shown, and laid out, in the same step. */
export async function regroup(session: CanvasSession, edit: Edit): Promise<void> {
  const regrouped = edit(session.stage.value.scene);
  const apart = setApart(regrouped);
  session.edit(() => apart);
  if (apart !== regrouped) await session.run(() => arrange(session, session.learn));
}

/** Adds an answer as one step; names and transfers behind its sums follow. */
export async function add(session: CanvasSession, additions: Additions, signal: AbortSignal): Promise<void> {
  session.edit((scene) => grown(scene, additions));
  warnWhereFull(session);
  await listTransfers(session, signal);
}

/** Has opened transactions asked for again: an address that was read since may bear another name. */
export function forgetOpened(session: CanvasSession): void {
  session.opened.value = new Map();
}

/** With `trace` also the next addresses of its money and the other side of a bridge, for the same scan. */
async function scan(
  session: CanvasSession,
  { chain, address }: SceneAddress,
  trace: 'on' | 'off',
  signal: AbortSignal,
): Promise<void> {
  await followScan({ chain, address, lang: language.value, fresh: false, trace }, () => {}, signal);
  forgetOpened(session);
  void recallLevels(session, signal).catch(() => {});
  session.learn((scene) => informed(scene, [{ key: nodeKey(chain, address), read: true }]));
}

/** Asks for the account of the followed money by another rule of attribution; what is drawn stays pro rata. */
export async function attributeBy(session: CanvasSession, method: string, signal: AbortSignal): Promise<void> {
  const { followed } = session.stage.value.scene;
  if (followed) session.funds.value = await fundsOf(followed, signal, method);
}

function fundsOf(
  { key, direction, tx_hash }: FollowedMoney,
  signal: AbortSignal,
  method = 'pro_rata',
): Promise<AddressFunds> {
  const { chain, address } = placeOf(key);
  const query = { chain, direction, tx_hash, max_hops: HOPS.funds, method, lang: language.value };
  return call<AddressFunds>(apiPath`/graph/funds/${address}`, { query, signal });
}

/** A part of the counterparties of an address: the largest, unless another order is asked for. */
interface PartiesAsked {
  limit?: number;
  offset?: number;
  order?: string;
  search?: string;
}

export function counterpartiesOf(
  { chain, address }: SceneAddress,
  signal: AbortSignal,
  asked: PartiesAsked = {},
): Promise<GraphCounterparties> {
  const query = { chain, limit: COUNTERPARTIES_MAX, ...asked };
  return call<GraphCounterparties>(apiPath`/graph/counterparties/${address}`, { query, signal });
}

/** Asks for what is drawn and not listed yet: the transfers of the largest flows, and who their ends are. */
export async function listTransfers(session: CanvasSession, signal: AbortSignal): Promise<void> {
  const { flows, nodes } = session.stage.value.scene;
  const single = new Set(nodes.filter(({ bundle }) => bundle === null).map(({ key }) => key));
  const isNamed = new Set(nodes.filter(({ read, label }) => read !== null || label !== null).map(({ key }) => key));
  const wanted = flows
    .filter((flow) => isListable(flow) && single.has(flow.from) && single.has(flow.to))
    .filter(({ from, to, transfers }) => transfers.length === 0 || !isNamed.has(from) || !isNamed.has(to))
    .sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0))
    .slice(0, PAIR_LIST.pairs);
  if (wanted.length === 0) return;
  const answer = await listPairs(wanted, signal);
  const transfers = new Map<string, SceneFlow['transfers']>();
  wanted.forEach((flow, i) => {
    const listed = answer.pairs[i]?.transfers ?? [];
    if (flow.transfers.length === 0 && flow.share === null && listed.length > 0) transfers.set(flow.id, listed);
  });
  session.learn((scene) => informed(scene, ofTransfers(answer), transfers));
}

/** The transfers between pairs of keys, at most `PAIR_LIST.pairs`, as many of each as a scene keeps, or `limit`. */
function listPairs(pairs: readonly Pair[], signal: AbortSignal, limit = FLOW_TRANSFERS_MAX): Promise<PairTransfers> {
  const body = { pairs: pairs.map(pairOf), limit };
  return call<PairTransfers>('/graph/transfers', { method: 'POST', body, signal });
}

/** The same with as many transfers of each pair as the service lists, for sums. */
export async function listWholePairs(pairs: readonly Pair[], signal: AbortSignal): Promise<PairTransfers> {
  const answer = await listPairs(pairs, signal);
  const cut = [...answer.pairs.entries()].filter(([, { truncated }]) => truncated);
  const atOnce = PAIR_LIST.ofAll / PAIR_LIST.ofEach;
  for (let start = 0; start < cut.length; start += atOnce) {
    const places = cut.slice(start, start + atOnce).map(([place]) => place);
    const whole = await listPairs(
      places.map((place) => pairs[place]!),
      signal,
      PAIR_LIST.ofEach,
    );
    for (const [i, place] of places.entries()) answer.pairs[place] = whole.pairs[i]!;
  }
  return answer;
}

interface Pair {
  from: string;
  to: string;
}

/** True of a flow whose transfers the graph can list: neither a crossing nor a side of an opened transaction. */
function isListable({ bridge, part }: SceneFlow): boolean {
  return bridge === null && part === undefined;
}

function pairOf({ from, to }: { from: string; to: string }) {
  const { chain, address } = placeOf(from);
  return { from: address, to: placeOf(to).address, chain };
}

function warnWhereFull(session: CanvasSession): void {
  if (session.stage.value.scene.nodes.length >= SCENE_NODES_MAX)
    session.notice.value = words().canvas.full(SCENE_NODES_MAX);
}
