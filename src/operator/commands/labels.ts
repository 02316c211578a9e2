import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { termsOf } from '../../../graph-loaders/sources.ts';
import { readConfig } from '../../config.ts';
import { LABEL_KEY_FILE } from '../../data-folder/data-dir.ts';
import { keyOfFile } from '../../data-folder/secret-box.ts';
import { iso } from '../../domain/time.ts';
import { openLabelLists } from '../../labels/label-lists.ts';
import type { LabelSigner } from '../../records/database/tables/lists.ts';
import { listSigners, saveSigner } from '../../records/lists/label-signers.ts';
import { countUpTo, name } from './arguments.ts';
import { print, textTable } from './output.ts';
import { socketPath, withContext, withRecords } from './stores.ts';

export function addLabelCommands(program: Command): void {
  const labels = program.command('labels').description('the loaded labels');

  labels
    .command('sources')
    .description('each list with its entries in force, its day, its licence and how often to load it again')
    .action(async (_: unknown, command: Command) => {
      const lists = await withRecords((records) => openLabelLists(records, Date.now).lists());
      print(command, lists.map(withTerms), textTable);
    });

  labels
    .command('export')
    .description(
      'writes labels in force as GraphSense TagPacks, one file a source: your own, and lists whose licence lets you',
    )
    .argument('<dir>', 'a new or empty folder')
    .addOption(new Option('--source <source...>', 'these sources alone, as `labels sources` names them'))
    .action(async (dir: string, { source }: { source?: string[] }, command: Command) => {
      const { exportTagpacks } = await import('../export-labels.ts');
      const written = await withRecords((records) => exportTagpacks(records, resolve(dir), { sources: source }));
      print(command, written, textTable);
    });

  labels
    .command('share')
    .description('writes the labels of an account into a new file, signed, for others to load')
    .argument('<file>', 'a new file')
    .requiredOption('--account <id>', 'the account')
    .option('--case <id>', 'labels of this case alone')
    .option('--before <file>', 'an earlier file of yours: what it has and the account no longer says is retracted')
    .action(
      async (
        file: string,
        { account: accountId, case: caseId, before }: { account: string; case?: string; before?: string },
        command: Command,
      ) => {
        const { shareLabels } = await import('../share-labels.ts');
        const now = Date.now();
        const report = await withRecords((records) =>
          shareLabels(records, labelKey(), resolve(file), { accountId, caseId, before, now }),
        );
        print(command, [report], textTable);
      },
    );

  labels
    .command('signers')
    .description('your own key as others see it, and whose signed labels are taken')
    .action(async (_: unknown, command: Command) => {
      const { didOf } = await import('../../labels/signed-labels.ts');
      const signers = await withRecords(listSigners);
      const own = { name: '(this installation)', did: didOf(labelKey()), confidence: null, since: null };
      print(command, [own, ...signers.map(signerRow)], textTable);
    });

  labels
    .command('trust')
    .description('takes signed labels of others from now on')
    .argument('<did>', 'their key, did:key:…', signerKey)
    .argument('<name>', 'how their labels are called: signed:<name>', name)
    .addOption(
      new Option('--confidence <number>', 'how sure what they say is at most; from 70 on it is sure')
        .argParser(countUpTo(100))
        .default(69),
    )
    .action(async (did: string, called: string, { confidence }: { confidence: number }, command: Command) => {
      const trusted_at = Date.now();
      const signer = await withRecords((records) => saveSigner(records, { did, name: called, confidence, trusted_at }));
      print(command, [signerRow(signer)], textTable);
    });

  labels
    .command('distrust')
    .description('takes no more labels of a signer, and ends those that were loaded')
    .argument('<did>', 'their key', signerKey)
    .action(async (did: string, _: unknown, command: Command) => {
      const { distrust } = await import('../../../graph-loaders/labels/signed.ts');
      const { handOver } = await import('../handover.ts');
      const config = readConfig();
      const report =
        (await handOver(socketPath(config), { kind: 'labels_distrust', did })) ??
        (await withContext(config, (ctx) => distrust(ctx, did)));
      print(command, [report], textTable);
    });
}

function labelKey(): Uint8Array {
  return Uint8Array.from(keyOfFile(join(readConfig().DATA_DIR, LABEL_KEY_FILE)));
}

function signerRow({ name, did, confidence, trusted_at }: LabelSigner) {
  return { name, did, confidence, since: iso(trusted_at) };
}

function signerKey(value: string): string {
  if (!/^did:key:z\w{40,60}$/.test(value)) throw new InvalidArgumentError('A key such as did:key:z6Mk….');
  return value;
}

function withTerms<List extends { source: string }>(list: List) {
  const { licence = null, load_again = null } = termsOf(list.source) ?? {};
  return { ...list, licence, load_again };
}
