import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { InvalidInputError } from '../../errors.ts';
import type { CheckedProof } from '../../proofs/proofs-file.ts';
import { print } from './output.ts';

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .argument('<file>', 'proofs in JSON, as POST /evidence/proofs answers')
    .description(
      'checks by the file alone, without any request, that blocks hold its transactions; exit code 1 if a proof does not hold',
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const { checkProof, readProofs } = await import('../../proofs/proofs-file.ts');
      const bytes = await readFile(file).catch((cause: Error) => {
        throw new InvalidInputError(`Cannot read ${file}: ${cause.message}`, { cause });
      });
      const { proofs, notProvable, intact } = readProofs(bytes);
      const checked = { intact, proofs: proofs.map(checkProof), not_provable: notProvable };
      print(command, checked, ({ proofs, not_provable }) =>
        [
          ...(intact ? [] : ['CHANGED  the file is not as it was written: its digest differs']),
          ...proofs.map(lineOf),
          ...not_provable.map(({ chain, tx_hash, reason }) => `no proof  ${chain} ${tx_hash}: ${reason}`),
        ].join('\n'),
      );
      const fails = checked.proofs.some(({ fault }) => fault !== null);
      if (!intact || fails || proofs.length === 0) process.exitCode = 1;
    });
}

function lineOf({ chain, tx_hash, block_hash, height, fault }: CheckedProof): string {
  return fault
    ? `DOES NOT HOLD  ${chain} ${tx_hash}: ${fault}`
    : `holds  ${chain} ${tx_hash} in block ${height} ${block_hash}`;
}
