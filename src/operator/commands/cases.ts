import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../../config.ts';
import { InvalidInputError } from '../../errors.ts';
import { INDICATOR_CODE } from '../../exports/forms.ts';
import { TLP, type Tlp } from '../../exports/indicators.ts';
import { PLANS } from '../../plans.ts';
import type { CaseExport } from '../../questions/exports/case-exports.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { operatorFor } from '../../records/audit/audit-log.ts';
import { positiveCount } from './arguments.ts';
import { print } from './output.ts';
import { socketPath, withContext, withRecords } from './stores.ts';

const CASE_FORMS = ['archive', 'stix', 'misp', 'ivms101', 'goaml'] as const;

interface ExportOptions {
  account: string;
  output: string;
  format: (typeof CASE_FORMS)[number];
  tlp: Tlp;
  rentityId?: number;
  indicator?: string;
}

function indicatorCode(value: string): string {
  if (!INDICATOR_CODE.test(value)) throw new InvalidArgumentError('1 to 25 letters, digits, _ or -.');
  return value;
}

function askedOf({ format: form, tlp, rentityId, indicator }: ExportOptions): CaseExport {
  if (form === 'stix' || form === 'misp') return { form, tlp };
  if (form !== 'goaml') return { form };
  if (rentityId === undefined || indicator === undefined) {
    throw new InvalidInputError('goaml needs --rentity-id and --indicator');
  }
  return { form, rentityId, indicator };
}

export function addCaseCommands(program: Command): void {
  const cases = program.command('cases').description('cases of an account');

  cases
    .command('export')
    .description('writes a case as a file for other systems, which its timeline and the audit log say')
    .argument('<case>', 'its id')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--output <file>', 'the file, which must not exist yet')
    .addOption(
      new Option('--format <format>', 'archive: a ZIP that another installation imports')
        .choices(CASE_FORMS)
        .default('archive'),
    )
    .addOption(new Option('--tlp <marking>', 'of stix and misp').choices(TLP).default('amber'))
    .option('--rentity-id <id>', 'of goaml: your id at your FIU', positiveCount)
    .option('--indicator <code>', "of goaml: why you report, a code of your FIU's list", indicatorCode)
    .action(async (caseId: string, options: ExportOptions, command: Command) => {
      const { handOver } = await import('../handover.ts');
      const { writeCaseFile } = await import('../export-case-file.ts');
      const config = readConfig();
      const { account, output } = options;
      const request = { caseId, account, output: resolve(output), asked: askedOf(options) };
      const written =
        (await handOver(socketPath(config), { kind: 'case_export', ...request })) ??
        (await withContext(config, (ctx) => writeCaseFile(ctx, request)));
      print(command, written, ({ file, bytes }) => `${file}: ${bytes} bytes`);
    });

  cases
    .command('import')
    .description('a case of another installation, from the archive that the API gives there')
    .argument('<file>', 'what GET /cases/{case_id}/archive.zip gave')
    .requiredOption('--account <id>', 'the account')
    .action(async (file: string, { account: accountId }: { account: string }, command: Command) => {
      const { importCase } = await import('../../questions/cases/archive/import-case.ts');
      const packed = await readFile(file).catch((cause: Error) => {
        throw new InvalidInputError(`Cannot read ${file}: ${cause.message}`, { cause });
      });
      const found = await withRecords(async (records) => {
        const { plan_id } = await findAccount(records, accountId);
        const actor = { ...operatorFor(accountId), plan: PLANS[plan_id] };
        return importCase({ records, now: Date.now }, actor, packed);
      });
      print(command, found, ({ case: { id, title }, imported }) =>
        imported ? `${title} is imported as ${id}` : `${title} is there already as ${id}`,
      );
    });
}
