#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './operator/commands/accounts/accounts.ts';
import { addAuditCommands } from './operator/commands/accounts/audit.ts';
import { addKeyCommands } from './operator/commands/accounts/keys.ts';
import { addMailCommands } from './operator/commands/accounts/mail.ts';
import { addPeopleCommands } from './operator/commands/accounts/people.ts';
import { addBackupCommand, addRestoreCommand } from './operator/commands/backup.ts';
import { addCaseCommands } from './operator/commands/cases.ts';
import { addCheckCommand } from './operator/commands/check.ts';
import { addCypherCommands } from './operator/commands/cypher.ts';
import { addGraphCommands } from './operator/commands/graph.ts';
import { addLabelCommands } from './operator/commands/labels.ts';
import { addLoadCommand } from './operator/commands/load.ts';
import { addProveCommand } from './operator/commands/prove.ts';
import { addScamdbCommands } from './operator/commands/scamdb.ts';
import { addSecretCommands } from './operator/commands/secrets.ts';
import { addServiceCommands } from './operator/commands/service.ts';
import { addInitCommand } from './operator/commands/setup/init.ts';
import { addListCommands } from './operator/commands/setup/lists.ts';
import { addSourcesCommand } from './operator/commands/setup/sources.ts';
import { addUnfinishedLoadCommands } from './operator/commands/unfinished-loads.ts';
import { addVerifyCommand } from './operator/commands/verify.ts';
import { addWatchCommands } from './operator/commands/watch.ts';
import { packageVersion } from './version.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** The operator's commands. */
function buildProgram(): Command {
  const program = new Command('traceflow')
    .description('Screening, monitoring and investigation of blockchain addresses: the commands of the operator.')
    .version(packageVersion())
    .option('--json', 'print exactly one JSON value');
  addServiceCommands(program);
  addSecretCommands(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addPeopleCommands(program);
  addLoadCommand(program);
  addLabelCommands(program);
  addGraphCommands(program);
  addCypherCommands(program);
  addScamdbCommands(program);
  addInitCommand(program);
  addSourcesCommand(program);
  addAuditCommands(program);
  addMailCommands(program);
  addCaseCommands(program);
  addWatchCommands(program);
  addUnfinishedLoadCommands(program);
  addListCommands(program);
  addBackupCommand(program);
  addCheckCommand(program);
  addProveCommand(program);
  addVerifyCommand(program);
  addRestoreCommand(program);
  for (const command of withChildren(program)) {
    command.exitOverride().configureOutput({ outputError: () => {} });
    if (command !== program && command.commands.length === 0) command.option('--json', 'print exactly one JSON value');
    refuseRepeats(command);
  }
  return program;
}

/** Commander takes the last of several without a word. */
function refuseRepeats(command: Command): void {
  const given = new Set<string>();
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => {
      if (given.has(option.name())) command.error(`error: option '${option.flags}' is given more than once`);
      given.add(option.name());
    });
  }
}

function withChildren(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => withChildren(child as Command))];
}

/** Runs the command of `argv`, which is as in `process.argv`. Returns its exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function runCommand(argv: string[]): Promise<number> {
  const isJson = argv.includes('--json');
  try {
    await buildProgram().parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const wrongUsage = error instanceof CommanderError;
    if (wrongUsage && error.exitCode === 0) return 0;
    const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error);
    // Without a subcommand commander has printed the help already.
    const isHelp = wrongUsage && error.code === 'commander.help';
    if (isJson) process.stdout.write(`${JSON.stringify({ error: isHelp ? 'A command is missing' : message })}\n`);
    if (!isHelp) process.stderr.write(`${message}\n${wrongUsage ? '(--help lists what there is)\n' : ''}`);
    return wrongUsage ? WRONG_USAGE : FAILED;
  }
}

const script = process.argv[1];

// npx calls it by a symbolic link.
if (script && import.meta.url === pathToFileURL(realpathSync(script)).href) {
  process.exitCode = await runCommand(process.argv);
  // What a failed command left open must not hold the process; its output is written long before.
  if (process.exitCode !== 0) setTimeout(() => process.exit(), 2_000).unref();
}
