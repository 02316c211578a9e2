import { dirname, join, normalize } from 'node:path/posix';
import { z } from 'zod';
import { canonicalAddress, detectChain } from '../../src/domain/address/address.ts';
import { type Chain, chainOfForm, LABEL_CHAINS } from '../../src/domain/chain.ts';
import { CATEGORIES, type Category, type Label } from '../../src/domain/label.ts';
import { InvalidInputError } from '../../src/errors.ts';
import type { TagContext as OwnTag } from '../../src/exports/tagpack.ts';
import { timeSlices } from '../../src/fairness/time-slices.ts';
import { type InputFile, readWhole } from '../reading/input.ts';
import { textField } from '../reading/json.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { CONFIDENCE_UNSTATED, CONFIDENCES, categoryOfConcepts, TAGPACK_CHAINS } from './graphsense-concepts.ts';
import { labelOf, listedAddress, shown } from './label-row.ts';
import { isRecord, parseHeader, readYamlList, YamlInclude, type YamlList } from './yaml-items.ts';

const BYTES_MAX = 64 * 1024 * 1024;
/** Packs made from OFAC's own list say so by their source, not by an abuse. */
const SDN_SOURCE = /treasury\.gov\/ofac\/downloads|sdnlist|sdn_advanced/i;
/** Its other lists block no one's property as a rule. */
const CONSOLIDATED_SOURCE = /consolidated|cons_advanced/i;

type Actors = Map<string, { label: string; categories: string[] }>;

/** GraphSense TagPacks; actors of actor packs in the same folder give categories to tags that state none. */
export const tagpackLoader: LabelLoader = {
  kind: 'labels',
  format: 'GraphSense TagPacks as YAML with tags or actors',
  isList: true,
  accepts: hasEnding('.yaml', '.yml'),
  read,
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Label> {
  const actors: Actors = new Map();
  const includes = new Includes(files, signal);
  const isActorPack = (name: string) => /actor/i.test(name);
  const ordered = [...files].sort((a, b) => Number(isActorPack(b.name)) - Number(isActorPack(a.name)));
  const refusals: { name: string; error: InvalidInputError }[] = [];
  for (const file of ordered) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    try {
      const text = await readText(file, signal);
      const actorList = readYamlList(text, 'actors', file.name);
      if (actorList) await readActors(actorList, actors);
      const tags = readYamlList(text, 'tags', file.name);
      if (tags) yield* readTags({ ...tags, header: await includes.resolve(tags.header, file) }, actors, own);
      else if (!actorList) throw new WrongFormatError(`${file.name}: neither tags nor actors`);
      else if (!isFolder) own.note(0, `${actors.size} actors and no tags: load them in one folder with their packs`);
    } catch (error) {
      // One broken pack does not keep the others of a folder from being loaded.
      if (!isFolder || !(error instanceof InvalidInputError)) throw error;
      refusals.push({ name: file.name, error });
    }
  }
  // What a pack includes has been read with it.
  const unread = refusals.filter(({ name }) => !includes.used.has(name));
  for (const { error } of unread) tally.note(0, error.message);
  if (tally.read === 0 && unread.length > 0) throw unread[0]!.error;
}

async function readText(file: InputFile, signal?: AbortSignal): Promise<string> {
  const text = await readWhole(file, BYTES_MAX, signal);
  if (text.includes('\0')) throw new WrongFormatError(`${file.name}: NUL character`);
  return text;
}

/** Files that packs include, found among those of the same load alone. */
class Includes {
  /** Names of the files that a pack included. */
  readonly used = new Set<string>();
  private readonly files: ReadonlyMap<string, InputFile>;
  private readonly signal: AbortSignal | undefined;

  constructor(files: readonly InputFile[], signal?: AbortSignal) {
    this.files = new Map(files.map((file) => [file.name, file]));
    this.signal = signal;
  }

  /**
   * A header with the fields of what it includes; those under `header` count as its own. Throws WrongFormatError for a file
   * that is not there.
   */
  async resolve(header: Record<string, unknown>, file: InputFile): Promise<Record<string, unknown>> {
    const fields = Object.entries(header);
    const resolved: [string, unknown][] = [];
    for (const [name, value] of fields) {
      const included = value instanceof YamlInclude ? await this.fieldsOf(value.path, file) : value;
      if (name === 'header' && isRecord(included)) resolved.push(...Object.entries(included));
      else resolved.push([name, included]);
    }
    return Object.fromEntries(resolved);
  }

  /** Returns the header of a pack from its own folder, then from the folders above it, as the packs' own tool does. */
  private async fieldsOf(path: string, file: InputFile): Promise<Record<string, unknown>> {
    for (let folder = dirname(file.name); ; folder = dirname(folder)) {
      const found = this.files.get(normalize(join(folder, path)));
      if (found && found !== file) {
        this.used.add(found.name);
        const fields = parseHeader(await readText(found, this.signal), found.name);
        const nested = Object.values(fields).find((value) => value instanceof YamlInclude);
        if (nested) throw new WrongFormatError(`${found.name}: includes ${nested.path}, and is included itself`);
        return fields;
      }
      if (folder === '.' || folder === '/') break;
    }
    throw new WrongFormatError(`${file.name}: includes ${shown(path)}, which is not there: load the whole folder`);
  }
}

async function readActors({ items }: YamlList, actors: Actors): Promise<void> {
  const pause = timeSlices();
  for (const piece of items) {
    await pause();
    for (const { value } of piece) {
      if (!isRecord(value) || !textField(value.id)) continue;
      const id = textField(value.id).trim();
      actors.set(id, { label: textField(value.label).trim() || id, categories: texts(value.categories) });
    }
  }
}

async function* readTags({ header, items }: YamlList, actors: Actors, tally: Tally): AsyncGenerator<Label> {
  const source = sourceOf(header);
  const pause = timeSlices();
  for (const piece of items) {
    await pause();
    for (const { line, value, problem } of piece) {
      tally.read += 1;
      const included =
        value instanceof YamlInclude ||
        (isRecord(value) && Object.values(value).some((one) => one instanceof YamlInclude));
      if (included) tally.skip(line, '!include is followed in the header only');
      else if (!isRecord(value)) tally.skip(line, problem ?? 'not a tag');
      else {
        const label = toLabel({ ...header, ...value }, { source, actors, line, tally });
        if (label) yield label;
      }
    }
  }
}

/** Titles repeat among packs, a title with its actor or label does not: a newer version of a pack finds its own rows. */
function sourceOf(header: Record<string, unknown>): string {
  const parts = [
    textField(header.title).trim() || 'untitled',
    textField(header.actor).trim() || textField(header.label).trim(),
  ];
  return `tagpack:${parts.filter((part) => part !== '').join(' / ')}`;
}

interface TagContext {
  source: string;
  actors: Actors;
  line: number;
  tally: Tally;
}

function toLabel(tag: Record<string, unknown>, { source, actors, line, tally }: TagContext): Label | null {
  const field = (name: string) => textField(tag[name]).trim();
  const address = listedAddress(field('address'), line, tally);
  const own = ownContext(tag.context);
  const isOwnChain = own?.chain !== undefined && canonicalAddress(chainOfForm(own.chain), address) !== null;
  const chain = isOwnChain
    ? chainOfForm(own.chain!)
    : chainOf(address, field('network') || field('currency'), line, tally);
  if (chain === null) return null;
  const actor = actors.get(field('actor'));
  return labelOf(
    {
      chain: isOwnChain ? own.chain! : chain,
      address,
      category: own?.category ?? categoryOf(tag, chain, actor?.categories ?? [], tally),
      label: field('label') || actor?.label || field('title'),
      source,
      confidence: confidenceOf(field('confidence'), tally),
      entity: field('actor') || null,
      validFrom: own?.valid_from ?? null,
      validTo: own?.valid_to ?? null,
      maliciousContract: own?.malicious_contract ?? false,
      ...(own?.programme && { programme: own.programme }),
    },
    line,
    tally,
  );
}

const moment = z.int().min(0).max(8.64e15);
const OwnContext = z.object({
  traceflow: z.object({
    category: z.enum(CATEGORIES),
    chain: z.enum(LABEL_CHAINS).optional(),
    valid_from: moment.optional(),
    valid_to: moment.optional(),
    malicious_contract: z.literal(true).optional(),
    programme: z.string().optional(),
  }) satisfies z.ZodType<OwnTag>,
});

/** Reads what an export of this product says beside the fields of a pack; null for any other context. */
function ownContext(context: unknown): OwnTag | null {
  const text = textField(context);
  if (!text.startsWith('{"traceflow":')) return null;
  try {
    return OwnContext.parse(JSON.parse(text)).traceflow as OwnTag;
  } catch {
    return null;
  }
}

/** A word of the taxonomy, or a number as it is. */
function confidenceOf(stated: string, tally: Tally): number {
  const known = CONFIDENCES[stated.toLowerCase()] ?? (/^-?\d+(\.\d+)?$/.test(stated) ? Number(stated) : undefined);
  if (known === undefined && stated !== '') tally.unmapped('confidence', stated);
  return known ?? CONFIDENCE_UNSTATED;
}

/** The network that the tag names, checked against the form of the address, which wins. */
function chainOf(address: string, network: string, line: number, tally: Tally): Chain | null {
  const named = network === '' ? '' : TAGPACK_CHAINS[network.toUpperCase()];
  if (named === undefined) {
    tally.skip(line, `unsupported network: ${shown(network)}`);
    return null;
  }
  if (named !== '' && canonicalAddress(named as Chain, address)) return named as Chain;
  const chain = detectChain(address);
  if (chain === null) tally.skip(line, `${shown(address)} is not a valid ${named || 'known'} address`);
  else if (named !== '') tally.note(line, `${shown(address)} is tagged ${shown(network)} but is a ${chain} address`);
  return chain;
}

function categoryOf(tag: Record<string, unknown>, chain: Chain, actor: readonly string[], tally: Tally): Category {
  const source = textField(tag.source);
  if (SDN_SOURCE.test(source) && !CONSOLIDATED_SOURCE.test(source)) return 'sanctioned';
  const stated = { abuses: texts(tag.abuse), concepts: [...texts(tag.category), ...texts(tag.concepts)], actor };
  return categoryOfConcepts(stated, chain, (word) => tally.unmapped('concept', word));
}

/** A field that is one text or a list of texts. */
function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) => textField(entry).trim().toLowerCase()).filter((text) => text !== '');
}
