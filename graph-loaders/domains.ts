import { basename } from 'node:path/posix';
import { normalDomain } from '../src/domain/text/domain-name.ts';
import { isRecord } from './labels/json-statements.ts';
import { shown } from './labels/label-row.ts';
import type { InputFile } from './reading/input.ts';
import { readJson, textField } from './reading/json.ts';
import { readLines } from './reading/lines.ts';
import { type DomainLoader, hasEnding, type ListedDomain, type Work } from './reading/loader.ts';
import { tallyOf } from './reading/tally.ts';
import { WrongFormatError } from './reading/wrong-format.ts';

/** Keys of objects under which configurations list what they block, and what they let pass. */
const BLOCKED_KEYS = ['blacklist', 'blocklist', 'blocked', 'domains', 'phishing'];
const ALLOWED_KEYS = ['whitelist', 'allowlist', 'allowed'];
/** Names of a hosts file that stand for the machine itself. */
const OWN_NAMES = /^(?:localhost|localhost\.localdomain|local|broadcasthost|ip6-\w+|0\.0\.0\.0)$/i;
const HOSTS_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|fe80::1%lo0|255\.255\.255\.255|ff0\d::\d)\s(.*)$/;
const FILTER = /^\|\|([^/^$*|]+)\^?(?:\$.*)?$/;

/** Lists of domains of scams; each file is a list of its own, named by the file. */
export const domainsLoader: DomainLoader = {
  kind: 'domains',
  format:
    'domains as text, one a line, as a hosts file or as filters, or as JSON: a list, or an object with blacklist or blocklist',
  accepts: hasEnding('.txt', '.json', '.csv', '.list', '.hosts', 'hosts'),
  read,
};

interface Entry {
  line: number;
  text: string;
  problem?: string | null;
}

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<ListedDomain> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    const { entries, allowed, source } = await listOf(file, signal);
    for await (const { line, text, problem } of entries) {
      own.read += 1;
      const domain = problem ? null : normalDomain(text.replace(/^\*\./, ''));
      const refusal = problem ?? refusalOf(text, domain, allowed);
      if (refusal !== null) own.skip(line, refusal);
      else yield { domain: domain!, source };
    }
  }
  if (tally.read === 0) throw new WrongFormatError(`${files[0]!.name}: empty`);
}

interface DomainList {
  entries: AsyncIterable<Entry> | Iterable<Entry>;
  allowed: ReadonlySet<string>;
  source: string;
}

async function listOf(file: InputFile, signal?: AbortSignal): Promise<DomainList> {
  const stem = basename(file.name).replace(/\.\w+$/, '');
  if (!file.name.toLowerCase().endsWith('.json')) {
    return { entries: entriesOfText(file, signal), allowed: new Set(), source: `domains:${stem}` };
  }
  const document = await readJson(file, signal);
  const lists = isRecord(document) ? namesUnder(document, BLOCKED_KEYS) : document;
  if (!Array.isArray(lists) || !lists.some((entry) => normalDomain(nameOf(entry)) !== null)) {
    throw new WrongFormatError(`${file.name}: no list of domains`);
  }
  const allowed = isRecord(document) ? namesUnder(document, ALLOWED_KEYS).map(nameOf) : [];
  // The file of MetaMask's list is called config, as many are.
  const isConfig = isRecord(document) && 'fuzzylist' in document;
  return {
    entries: lists.map((entry, i) => ({ line: i + 1, text: nameOf(entry) })),
    allowed: new Set(allowed.flatMap((name) => normalDomain(name) ?? [])),
    source: `domains:${isConfig ? 'eth-phishing-detect' : stem}`,
  };
}

/** The lists under these keys, also of configurations that stand in an object or a list of their own. */
function namesUnder(document: Record<string, unknown>, keys: readonly string[]): unknown[] {
  const found = keys.flatMap((key) => (Array.isArray(document[key]) ? (document[key] as unknown[]) : []));
  return found;
}

function nameOf(entry: unknown): string {
  if (!isRecord(entry)) return textField(entry).trim();
  return [entry.domain, entry.url, entry.host, entry.name].map(textField).find(Boolean)?.trim() ?? '';
}

async function* entriesOfText(file: InputFile, signal?: AbortSignal): AsyncGenerator<Entry> {
  let isFirst = true;
  for await (const lines of readLines(file, signal)) {
    for (const { number: line, text, problem } of lines) {
      const bare = text.replace(/(?:^|\s)#.*$/, '').trim();
      if (problem === null && (bare === '' || /^[!;[]/.test(bare))) continue;
      if (/^[<{]/.test(bare)) throw new WrongFormatError(`${file.name}: line ${line} is not a domain`);
      if (problem) yield { line, text, problem };
      const [, hosts] = HOSTS_LINE.exec(bare) ?? [];
      const names = problem
        ? []
        : hosts
          ? hosts.trim().split(/\s+/)
          : [FILTER.exec(bare)?.[1] ?? bare.split(/[,;\t]/, 1)[0]!];
      for (const name of names) {
        const isHeader = isFirst && /^"?(?:domain|host|url|name)s?"?$/i.test(name);
        if (!OWN_NAMES.test(name) && !isHeader) yield { line, text: name.replaceAll('"', '') };
      }
      isFirst = false;
    }
  }
}

/** Why an entry names no host as a whole, or null. */
function refusalOf(text: string, domain: string | null, allowed: ReadonlySet<string>): string | null {
  if (domain === null) return `not a domain: ${shown(text)}`;
  if (allowed.has(domain)) return `${shown(text)}: the same list lets it pass`;
  // A page of a host that millions share does not speak for the host.
  const path = text.replace(/^\w+:\/\//, '').replace(/^[^/?#]*/, '');
  return /^\/*$/.test(path) ? null : `${shown(text)} is a page, not a whole host`;
}
