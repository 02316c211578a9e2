import { isCategory, type Label } from '../../src/domain/label.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { InvalidInputError, NotFoundError } from '../../src/errors.ts';
import { timeSlices } from '../../src/fairness/time-slices.ts';
import { findLabelRows, toLabel } from '../../src/labels/find-label-rows.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import { updateNodes } from '../../src/labels/node-labels.ts';
import { endSource, type LabelledAddress } from '../../src/labels/put-labels.ts';
import { isShared, placeOf, readSignedSet, type SignedLabel, type SignedSet } from '../../src/labels/signed-labels.ts';
import { inTransaction, type Records } from '../../src/records/database/database.ts';
import type { LabelSigner } from '../../src/records/database/tables/lists.ts';
import {
  deleteSigner,
  endTrust,
  findSigner,
  findSpoken,
  lockSigner,
  saveSpoken,
} from '../../src/records/lists/label-signers.ts';
import { inBatches } from '../reading/batches.ts';
import { readJson } from '../reading/json.ts';
import { hasEnding, type SignedLoader, type Stores, type Work } from '../reading/loader.ts';
import type { Tally } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { labelOf, shown } from './label-row.ts';
import type { LabelLoadOptions } from './load-labels.ts';

const BATCH = 1_000;
/** Clocks differ by as much. */
const AHEAD_MS = 10 * MINUTE_MS;
const CONFIDENCE = 80;

/** A signed label that can be used, with its place among those of the file. */
interface Statement {
  nth: number;
  uri: string;
  label: Label;
  isRetracted: boolean;
  /** Epoch ms of `cts`. */
  at: number;
}

/** Sets of labels that others signed. A whole set is read, and each of its signatures checked, before anything of it counts. */
export const signedLoader: SignedLoader = {
  kind: 'signed',
  format: 'a file that `traceflow labels share` wrote',
  accepts: hasEnding('.json'),
  read,
};

async function* read({ files, tally, signal }: Work): AsyncGenerator<SignedSet> {
  for (const file of files) {
    const set = checkedSet(await readJson(file, signal), file.name);
    tally.read += set.labels.length;
    yield set;
  }
}

function checkedSet(value: unknown, name: string): SignedSet {
  try {
    return readSignedSet(value, name);
  } catch (cause) {
    throw cause instanceof InvalidInputError ? new WrongFormatError(cause.message, { cause }) : cause;
  }
}

/**
 * Stores what trusted signers say, as labels of `signed:<name>`: of an address and a category what was said last counts, whatever
 * the order of files; a retraction ends it. Throws InvalidInputError for a signer that is not trusted.
 */
export async function loadSigned(
  loader: SignedLoader,
  work: Work,
  stores: Stores,
  { startedAt, onRows }: Pick<LabelLoadOptions, 'startedAt' | 'onRows'>,
): Promise<void> {
  const sets: { signer: LabelSigner; set: SignedSet }[] = [];
  for await (const set of loader.read(work)) {
    const signer = await findSigner(stores.records, set.src);
    if (!signer) throw new InvalidInputError(distrustedText(set.src));
    sets.push({ signer, set });
  }
  const stamp = await stores.labels.beginLoad();
  for (const { signer, set } of sets) {
    const statements = statementsOf(set, signer, work.tally, stores.now() + AHEAD_MS);
    for await (const batch of inBatches(statements, BATCH)) {
      const changed = await inTransaction(stores.records, (records) =>
        putStatements(records, stores, {
          signer,
          batch,
          stamp,
          tally: work.tally,
          isRepeated: startedAt !== undefined,
        }),
      );
      await updateNodes(stores, changed);
      onRows();
      work.signal?.throwIfAborted();
    }
  }
}

function distrustedText(did: string): string {
  return (
    `Signed by ${did}, who is not trusted here. Ask them for their name (\`traceflow labels signers\` shows it to them) on ` +
    `another way than this file. Where it is theirs: npx traceflow labels trust ${did} <name>`
  );
}

async function* statementsOf(
  set: SignedSet,
  signer: LabelSigner,
  tally: Tally,
  latest: number,
): AsyncGenerator<Statement> {
  const pause = timeSlices();
  for (const [nth, given] of set.labels.entries()) {
    await pause();
    const at = Date.parse(given.cts);
    const label = at > latest ? null : toStatedLabel(given, signer, nth + 1, tally);
    if (at > latest) tally.skip(nth + 1, `it was signed at ${given.cts}, which is still to come`);
    if (label) yield { nth: nth + 1, uri: given.uri, label, isRetracted: given.neg === true, at };
  }
}

function toStatedLabel(given: SignedLabel, signer: LabelSigner, nth: number, tally: Tally): Label | null {
  const { val, name = val, confidence = CONFIDENCE, nbf, exp } = given;
  const place = placeOf(given);
  if (!place) {
    tally.skip(nth, `${shown(given.uri)} is not an address of a supported chain`);
    return null;
  }
  if (!isCategory(val)) {
    tally.unmapped('val', val);
    tally.skip(nth, `unknown category: ${shown(val)}`);
    return null;
  }
  if (!isShared(val)) {
    tally.skip(nth, `${val} says whom the signer trusts, not what an address is`);
    return null;
  }
  const row = {
    ...{ ...place, category: val, label: name, source: sourceOf(signer) },
    confidence: Math.min(confidence, signer.confidence),
    validFrom: nbf === undefined ? null : Date.parse(nbf),
    validTo: exp === undefined ? null : Date.parse(exp),
  };
  return labelOf(row, nth, tally);
}

function sourceOf({ name }: { name: string }): string {
  return `signed:${name}`;
}

async function putStatements(
  records: Records,
  { now }: Stores,
  {
    signer,
    batch,
    stamp,
    tally,
    isRepeated,
  }: { signer: LabelSigner; batch: readonly Statement[]; stamp: number; tally: Tally; isRepeated: boolean },
): Promise<LabelledAddress[]> {
  await lockSigner(records, signer.did);
  const tupleOf = ({ uri, val }: { uri: string; val: string }) => `${uri} ${val}`;
  const spoken = await findSpoken(
    records,
    signer.did,
    batch.map(({ uri }) => uri),
  );
  const last = new Map(spoken.map((row) => [tupleOf(row), row.cts]));
  const newest = new Map<string, Statement>();
  const repeated: LabelledAddress[] = [];
  for (const statement of batch) {
    const tuple = tupleOf({ uri: statement.uri, val: statement.label.category });
    const before = newest.get(tuple)?.at ?? last.get(tuple) ?? -1;
    if (statement.at > before) newest.set(tuple, statement);
    else if (statement.at < before) tally.skip(statement.nth, `${statement.uri}: they said something newer of it`);
    // The graph may lack what a load wrote before it was cut off.
    else if (isRepeated) repeated.push({ chain: statement.label.chain, address: statement.label.address });
  }
  const source = sourceOf(signer);
  const fresh = [...newest.values()];
  const rows = await findLabelRows(
    records,
    null,
    fresh.map(({ label }) => label.address),
  );
  const labels = fresh.flatMap(({ label, isRetracted, at }) => {
    const held = rows.filter(
      (row) =>
        row.source === source &&
        row.chain === label.chain &&
        row.address === label.address &&
        row.category === label.category &&
        (row.valid_to === null || row.valid_to > at),
    );
    const ended = held.map((row) => ({ ...toLabel(row), validTo: Math.max(at, row.valid_from) }));
    return isRetracted ? ended : [...ended, label];
  });
  const changed = await openLabelStore(records, now).put(labels, { stamp, list: false });
  for (const { uri, label, at } of fresh) {
    await saveSpoken(records, { did: signer.did, uri, val: label.category, cts: at });
  }
  return [...changed, ...repeated];
}

/** Takes the trust from a signer and ends all that it said. Throws NotFoundError. */
export async function distrust(stores: Stores, did: string): Promise<{ did: string; name: string; ended: number }> {
  const signer = await findSigner(stores.records, did);
  if (!signer) throw new NotFoundError(`Not trusted: ${did}`);
  const { ended, named } = await inTransaction(stores.records, async (records) => {
    await endTrust(records, did);
    return endSource(records, sourceOf(signer), stores.now());
  });
  // All that it ever said: a try that was cut off before the graph had it is repeated, so the signer goes last.
  await updateNodes(stores, named);
  await deleteSigner(stores.records, did);
  return { did, name: signer.name, ended };
}
