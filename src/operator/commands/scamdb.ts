import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../../config.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { DecidedReport, ScamDecision } from '../../questions/scamdb.ts';
import type { ScamReport } from '../../records/database/tables/scamdb.ts';
import { listScamReports } from '../../records/scamdb/reports.ts';
import { name, positiveCount } from './arguments.ts';
import { print, textTable } from './output.ts';
import { socketPath, withContext, withRecords } from './stores.ts';

const STATUSES = ['pending', 'verified', 'rejected'] as const;
const REPORTS_SHOWN = 100;
const DESCRIPTION_SHOWN = 60;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const REASON_LENGTH_MAX = 500;

export function addScamdbCommands(program: Command): void {
  const scamdb = program.command('scamdb').description('the scam database: decisions on reports');
  scamdb
    .command('reports')
    .description('reports that wait for verify or reject, oldest first')
    .addOption(new Option('--status <status>', 'decided ones instead').choices(STATUSES).default('pending'))
    .option('--limit <count>', 'how many at most', positiveCount, REPORTS_SHOWN)
    .action(async (options: { status: ScamReport['status']; limit: number }, command: Command) => {
      const reports = await withRecords((records) => listScamReports(records, options));
      print(command, reports.map(toRow), (rows) => textTable(rows.map(asLine)));
    });
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
  const { decideReport } = await import('../../questions/scamdb.ts');
  const config = readConfig();
  return (
    (await handOver(socketPath(config), { kind: 'scamdb_decide', ...decision })) ??
    (await withContext(config, (ctx) => decideReport(ctx, decision)))
  );
}

function toRow(report: ScamReport) {
  const { id, status, chain, address, type, description, domains, evidence_url, stolen_usd } = report;
  const { created_at, decided_at, decided_by, decision_reason } = report;
  return {
    id,
    status,
    chain,
    address,
    type,
    description,
    domains: JSON.parse(domains) as string[],
    evidence_url,
    stolen_usd,
    created_at: iso(created_at),
    decided_at: isoOrNull(decided_at),
    decided_by,
    decision_reason,
  };
}

/** Writes an entry as one terminal line, without characters that could steer it. */
function asLine({ id, created_at, chain, address, type, domains, stolen_usd, description }: ReturnType<typeof toRow>) {
  const text = description.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return {
    id,
    created_at: created_at.slice(0, 10),
    chain,
    address,
    type,
    stolen_usd,
    domains: domains.join(' '),
    description: text.length > DESCRIPTION_SHOWN ? `${text.slice(0, DESCRIPTION_SHOWN - 1)}…` : text,
  };
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
