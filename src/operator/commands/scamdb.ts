import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../../config.ts';
import type { DecidedReport, ScamDecision } from '../../questions/scamdb/decide-report.ts';
import { name } from './arguments.ts';
import { print } from './output.ts';
import { socketPath, withContext } from './stores.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const REASON_LENGTH_MAX = 500;

export function addScamdbCommands(program: Command): void {
  const scamdb = program.command('scamdb').description('the scam database: decisions on reports');
  const commands = [
    ['verify', 'verified', 'makes a report an entry and a label that scans and presign see at once'],
    ['reject', 'rejected', 'keeps a report without effect; takes back what a verified one had done'],
  ] as const;
  for (const [verb, decision, description] of commands) {
    scamdb
      .command(verb)
      .description(description)
      .argument('<id>', 'id of the report', reportId)
      .option('--by <name>', 'who decides; kept with the report, never shown', name, 'operator')
      .option('--reason <text>', "why; shown in the entry's history", reason)
      .action(async (id: string, options: { by: string; reason?: string }, command: Command) => {
        const wanted = { id, decision, by: options.by, reason: options.reason ?? null };
        print(command, await decide(wanted), asText);
      });
  }
}

async function decide(decision: ScamDecision): Promise<DecidedReport> {
  const { handOver } = await import('../handover.ts');
  const { decideReport } = await import('../../questions/scamdb/decide-report.ts');
  const config = readConfig();
  return (
    (await handOver(socketPath(config), { kind: 'scamdb_decide', ...decision })) ??
    (await withContext(config, (ctx) => decideReport(ctx, decision)))
  );
}

function asText({ id, status, entry_id, chain, address }: DecidedReport): string {
  const entry = entry_id === null ? 'the address is not listed' : `entry ${entry_id}`;
  return `Report ${id} is ${status}: ${chain} ${address}, ${entry}`;
}

function reportId(value: string): string {
  if (!UUID.test(value)) throw new InvalidArgumentError('Not the id of a report.');
  return value.toLowerCase();
}

function reason(value: string): string {
  const text = value.replace(/\p{Cc}+/gu, ' ').trim();
  if (text === '' || text.length > REASON_LENGTH_MAX) throw new InvalidArgumentError('1 to 500 characters.');
  return text;
}
