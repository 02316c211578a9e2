import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { InvalidInputError } from '../../errors.ts';
import type { openPackage } from '../../proofs/check-package.ts';
import type { CheckedProof } from '../../proofs/proofs-file.ts';
import type { CheckedTimestamp } from '../../proofs/timestamp.ts';
import { print } from './output.ts';

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .argument('<path>', 'a file of proofs, or a report package as its folder or ZIP')
    .description(
      'checks by the files alone, without any request, that blocks hold the transactions and that no file of the package ' +
        'changed or was added; exit code 1 if anything does not hold, or a file of proofs holds none',
    )
    .action(async (path: string, _: unknown, command: Command) => {
      const { openPackage } = await import('../../proofs/check-package.ts');
      const { checkProofs } = await import('../../proofs/proofs-file.ts');
      const { manifest: opened, proofs, uncompared } = openPackage(await readGiven(path));
      const manifest = opened && { digest: opened.digest, files: opened.files, timestamp: await stampIn(opened) };
      const checked = {
        manifest,
        intact: proofs?.intact ?? null,
        proofs: checkProofs(proofs?.proofs ?? []),
        not_provable: proofs?.notProvable ?? [],
        uncompared,
      };
      print(command, checked, ({ manifest, intact, proofs, not_provable }) =>
        [
          ...(manifest
            ? [
                `manifest.json has the SHA-256 ${manifest.digest}`,
                stampLine(manifest.timestamp),
                ...manifest.files.map(fileLine),
              ]
            : []),
          ...uncompared.map(
            (name) => `NOT COMPARED  ${name}: without manifest.json nothing says whether it was changed`,
          ),
          ...(intact === false ? ['CHANGED  the proofs are not as they were written: their digest differs'] : []),
          ...(intact !== null && proofs.length === 0
            ? ['NO PROOF  the file of proofs holds none: it shows of no transaction that a block holds it']
            : []),
          ...proofs.map(proofLine),
          ...not_provable.map(({ chain, tx_hash, reason }) => `no proof  ${chain} ${tx_hash}: ${reason}`),
        ].join('\n'),
      );
      const isChanged =
        uncompared.length > 0 ||
        manifest?.files.some(({ state }) => state === 'changed' || state === 'not_listed') ||
        checked.intact === false;
      const fails = checked.proofs.some(({ fault }) => fault !== null);
      if (isChanged || fails || Object(manifest?.timestamp).fault || (!manifest && checked.proofs.length === 0))
        process.exitCode = 1;
    });
}

const STATES = {
  unchanged: 'unchanged',
  changed: 'CHANGED',
  not_given: 'not given',
  not_listed: 'NOT LISTED',
} as const;

type Manifest = NonNullable<ReturnType<typeof openPackage>['manifest']>;

async function stampIn({ stamp: { isNamed, answer, stamped } }: Manifest): Promise<CheckedTimestamp | StampGap> {
  if (!answer) return isNamed ? 'not_given' : 'none';
  const { checkTimestamp } = await import('../../proofs/timestamp.ts');
  return checkTimestamp(answer, stamped);
}

type StampGap = 'none' | 'not_given';

function stampLine(found: CheckedTimestamp | StampGap): string {
  if (found === 'none') return "no time stamp  the time of this package is that of its own machine's clock";
  if (found === 'not_given') return 'not given  manifest.tsr, the time stamp that manifest.json names';
  const { fault, at, authority, certificate } = found;
  return fault
    ? `DOES NOT HOLD  the time stamp of manifest.json: ${fault}`
    : `stamped  manifest.json at ${at} by ${authority}, whose certificate has the SHA-256 ${certificate}`;
}

function fileLine({ name, state }: Manifest['files'][number]): string {
  return `${STATES[state]}  ${name}`;
}

function proofLine({ chain, tx_hash, block_hash, height, fault }: CheckedProof): string {
  return fault
    ? `DOES NOT HOLD  ${chain} ${tx_hash}: ${fault}`
    : `holds  ${chain} ${tx_hash} in block ${height} ${block_hash}`;
}

async function readGiven(path: string): Promise<[string, Uint8Array][]> {
  const { unpacked } = await import('../../proofs/check-package.ts');
  try {
    if (!(await stat(path)).isDirectory()) return unpacked(basename(path), await readFile(path));
    const files = (await readdir(path, { withFileTypes: true })).filter((one) => one.isFile());
    return await Promise.all(
      files.map(async ({ name }) => [name, await readFile(join(path, name))] as [string, Uint8Array]),
    );
  } catch (cause) {
    throw new InvalidInputError(`Cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
