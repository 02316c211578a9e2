import { type Command, InvalidArgumentError } from 'commander';
import type { WatchedMovements } from '../../domain/watch.ts';
import type { Plan } from '../../plans.ts';
import { PLANS } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { type Actor, operatorFor } from '../../records/audit/audit-log.ts';
import type { Records } from '../../records/database/database.ts';
import type { AddressOfChain } from '../asked-cypher.ts';
import { chainAddress } from './arguments.ts';
import { print, textTable } from './output.ts';
import { withRecords } from './stores.ts';

interface LiveOptions {
  account: string;
  live?: boolean;
  movements?: WatchedMovements;
}

const LISTED_MAX = 10_000;

/** `out`, `all`, `none`, or dollars. */
function movements(value: string): WatchedMovements {
  if (value === 'out' || value === 'all' || value === 'none') return value;
  if (/^\d{1,15}$/.test(value)) return { above: Number(value) };
  throw new InvalidArgumentError('One of out, all, none, or the dollars from which on both directions count.');
}

export function addWatchCommands(program: Command): void {
  const watch = program.command('watch').description('watched addresses of an account');
  const withLive = (command: Command) =>
    command
      .requiredOption('--account <id>', 'the account')
      .option('--live', 'listen to it (left out: where the plan has room)')
      .option('--no-live', 'scan it at its interval alone')
      .option(
        '--movements <which>',
        'movements that are alerted: out, all, none, or from so many dollars on',
        movements,
      );

  watch
    .command('list')
    .description('watched addresses, and how each is listened to')
    .requiredOption('--account <id>', 'the account')
    .action(async ({ account }: { account: string }, command: Command) => {
      const found = await lendAccount(account, async (records, tenant) => {
        const { listItems } = await import('../../records/monitoring/watchlist.ts');
        const { liveNow } = await import('../../questions/monitoring/live-now.ts');
        const items = await listItems(records, account, { limit: LISTED_MAX, offset: 0 });
        const live = await liveNow({ records, now: Date.now }, tenant, items);
        return items.map((item) => {
          const { id, chain, address, label, last_risk_level } = item;
          const { state, reason, since } = live(item);
          return { id, chain, address, label, last_risk_level, movements: item.movements, live: state, reason, since };
        });
      });
      print(command, found, textTable);
    });

  withLive(watch.command('add'))
    .description('watches an address; it is scanned at once')
    .argument('<address>', 'CHAIN:ADDRESS', chainAddress)
    .option('--label <text>', 'your own name for it', '')
    .action(async (named: AddressOfChain, options: LiveOptions & { label: string }, command: Command) => {
      const { account, label, live, movements } = options;
      const item = await lendAccount(account, async (records, tenant) => {
        const { addItem, firstScanAt } = await import('../../questions/monitoring/manage-watchlist.ts');
        const { withinStorage } = await import('../../records/accounts/accounts.ts');
        const stores = { records, now: Date.now };
        const times = { now: Date.now(), nextScanAt: await firstScanAt(stores, tenant) };
        const request = { ...named, label, follow_mode_enabled: false, follow_depth: 1, live, movements };
        return withinStorage(records, account, (within) => addItem(within, tenant, request, times));
      });
      const { id, chain, address } = item;
      print(command, { id, chain, address, live: item.live === 1 }, ({ live }) =>
        live ? `${address} is watched and listened to as ${id}` : `${address} is watched as ${id}`,
      );
    });

  withLive(watch.command('set'))
    .description('switches live watch of an address, or chooses its alerts')
    .argument('<id>', 'id of the watched address')
    .action(async (id: string, { account, live, movements }: LiveOptions, command: Command) => {
      const { live: isLive } = await lendAccount(account, async (records, tenant) => {
        const { changeLiveWatch } = await import('../../questions/monitoring/manage-watchlist.ts');
        return changeLiveWatch({ records, now: Date.now }, tenant, id, { live, movements });
      });
      print(command, { id, live: isLive === 1 }, ({ live }) => `${id} is ${live ? '' : 'not '}live`);
    });

  for (const kind of ['case', 'board'] as const) {
    watch
      .command(kind)
      .description(`watches what moves at the subjects of a ${kind}`)
      .argument('<id>', `id of the ${kind}`)
      .requiredOption('--account <id>', 'the account')
      .action(async (id: string, { account }: { account: string }, command: Command) => {
        const watched = await lendAccount(account, async (records, tenant) => {
          const { watchBoard, watchCase } = await import('../../questions/monitoring/watch-subjects.ts');
          return (kind === 'case' ? watchCase : watchBoard)({ records, now: Date.now }, tenant, id);
        });
        print(command, watched, ({ added, already_watched, live }) => {
          return `${added} added, ${already_watched} watched before, ${live} of them live`;
        });
      });
  }
}

/** Lends the records on behalf of an account. */
function lendAccount<Result>(
  accountId: string,
  work: (records: Records, tenant: Actor & { plan: Plan }) => Promise<Result>,
): Promise<Result> {
  return withRecords(async (records) => {
    const { plan_id } = await findAccount(records, accountId);
    return work(records, { ...operatorFor(accountId), plan: PLANS[plan_id] });
  });
}
