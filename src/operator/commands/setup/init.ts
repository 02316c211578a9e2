import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { everyMsOf, PUBLISHED_LISTS, worthText } from '../../../../graph-loaders/sources.ts';
import { readConfig } from '../../../config.ts';
import type { Chain } from '../../../domain/chain.ts';
import { InvalidInputError } from '../../../errors.ts';
import { openAccount } from '../../../questions/account/manage-accounts.ts';
import { makeKey } from '../../../questions/account/manage-keys.ts';
import { listAccounts } from '../../../records/accounts/accounts.ts';
import { operatorFor } from '../../../records/audit/audit-log.ts';
import { keepList } from '../../../records/lists/kept-lists.ts';
import { chain } from '../arguments.ts';
import { print } from '../output.ts';
import { withRecords } from '../stores.ts';
import { type ChosenSetting, chooseChains, chooseListening, chooseSources } from './choose-settings.ts';
import { askAtTerminal, type Questions, takeDefaults } from './questions.ts';

const ENV_FILE = '.env';
const PRICES = 'https://coins.llama.fi';

interface InitOptions {
  yes: boolean;
  chains?: Chain[];
  force: boolean;
}

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('writes .env with sources for your chains, names lists to keep, and makes the first account and key')
    .option('--yes', 'take every default without a question', false)
    .option('--chains <chains>', 'these chains alone, separated by commas', chainList)
    .option('--force', 'replace .env', false)
    .action(async (options: InitOptions, command: Command) => {
      refuseExisting(ENV_FILE, options.force);
      const questions = options.yes ? takeDefaults : askAtTerminal();
      try {
        print(command, await setUp(questions, options), asText);
      } finally {
        questions.close();
      }
    });
}

interface Started {
  file: string;
  settings: string[];
  lists: string[];
  /** Null where accounts were there already. */
  account_id: string | null;
  key: string | null;
}

async function setUp(questions: Questions, { chains, force }: InitOptions): Promise<Started> {
  const chosen = chains ?? (await chooseChains(questions));
  const settings = await chooseSources(questions, chosen);
  settings.push(...(await chooseListening(questions, chosen)));
  settings.push(...(await choosePrices(questions)));
  const lists = await chooseLists(questions);
  const name = await questions.text('Name of the first account', 'Compliance desk');
  // Before anything is written: what was typed may not fit.
  readConfig(Object.fromEntries(settings.map((setting) => [setting.name, setting.value])));
  writeEnvFile(ENV_FILE, settings, force);
  const started = await withRecords(async (records) => {
    const now = Date.now();
    for (const { source, url } of lists) {
      await keepList(records, { source, place: url, every_ms: everyMsOf(source), as_of_header: 0 }, now);
    }
    if ((await listAccounts(records)).length > 0) return null;
    const account = await openAccount(records, { name, planId: 'enterprise' }, now);
    return { account, key: (await makeKey(records, operatorFor(account.id), { name: 'first' }, now)).key };
  });
  return {
    file: resolve(ENV_FILE),
    settings: settings.map((setting) => setting.name),
    lists: lists.map(({ source }) => source),
    account_id: started?.account.id ?? null,
    key: started?.key ?? null,
  };
}

async function choosePrices(questions: Questions): Promise<ChosenSetting[]> {
  const isWanted = await questions.yes(`Daily prices from ${PRICES} (it sees assets and days, no address)`, true);
  if (!isWanted) return [];
  return [
    { name: 'PRICE_API_URL', value: PRICES, note: 'daily prices; asked for assets and days' },
    { name: 'PRICE_API_STYLE', value: 'defillama', note: '' },
  ];
}

/** Public lists. By default those under a licence that lets everybody use them. */
async function chooseLists(questions: Questions): Promise<{ source: string; url: string }[]> {
  const chosen: { source: string; url: string }[] = [];
  for (const { source, ...terms } of PUBLISHED_LISTS) {
    const { publisher, licence, url } = terms;
    const isFree = !/^none|\bNC\b/.test(licence);
    if (
      await questions.yes(
        `Keep the list ${source} (${publisher}; licence: ${licence}; knows: ${worthText(terms)})`,
        isFree,
      )
    ) {
      chosen.push({ source, url });
    }
  }
  return chosen;
}

function chainList(value: string): Chain[] {
  return value.split(',').map((part) => chain(part.trim()));
}

function asText({ file, settings, lists, key }: Started): string {
  return [
    `${file}: ${settings.length} settings`,
    lists.length > 0 ? `Lists that the service keeps current: ${lists.join(', ')}` : 'No list is kept.',
    key === null
      ? 'Accounts were there already: no key was made. npx traceflow keys create --account <id> makes another; npx traceflow accounts list shows the ids.'
      : `API key, shown once: ${key}`,
    'Next: npx traceflow sources, then npm start. docs/start.md leads to the first scan.',
  ].join('\n');
}

const MODE = 0o600;

/** Throws InvalidInputError where the file is there and may not be replaced. */
function refuseExisting(path: string, force: boolean): void {
  if (!force && existsSync(path)) throw new InvalidInputError(`${path} exists. --force replaces it.`);
}

/** Writes the settings for the owner alone. A file that is replaced is replaced whole. */
function writeEnvFile(path: string, settings: readonly ChosenSetting[], force: boolean): void {
  refuseExisting(path, force);
  const lines = settings.flatMap(({ name, value, note }) => [
    ...(note ? [`# ${note}`] : []),
    `${name}=${quoted(value)}`,
  ]);
  const head = ['# Written by traceflow init. Every setting with its default stands in .env.example.', ''];
  const text = [...head, ...lines, ''].join('\n');
  const part = `${path}.part`;
  writeFileSync(part, text, { mode: MODE });
  chmodSync(part, MODE);
  renameSync(part, path);
}

/** A `#` would begin a comment. */
function quoted(value: string): string {
  return /[#\s]/.test(value) ? `"${value}"` : value;
}
