import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { withoutControls } from '../../domain/text/visible.ts';
import { print } from './output.ts';

interface Checked {
  chain: string;
  tx_hash: string;
  block_hash: string;
  height: number | null;
  /** Null where the proof holds. */
  fault: string | null;
}

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .argument('<file>', 'proofs in JSON, as POST /evidence/proofs answers')
    .description(
      'checks by the file alone, without any request, that blocks hold its transactions; exit code 1 if a proof does not hold',
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const { faultOf } = await import('../../proofs/verify.ts');
      const checked: Checked[] = [];
      for (const proof of proofsIn(file)) {
        const stated = Object(proof) as Record<string, unknown>;
        checked.push({
          // What a file of unknown origin says must not steer the terminal.
          chain: oneLine(stated.chain),
          tx_hash: oneLine(stated.tx_hash),
          block_hash: oneLine(stated.block_hash),
          height: typeof stated.height === 'number' ? stated.height : null,
          fault: await faultOf(proof),
        });
      }
      print(command, checked, (proofs) =>
        proofs
          .map(({ chain, tx_hash, block_hash, height, fault }) =>
            fault
              ? `DOES NOT HOLD  ${chain} ${tx_hash}: ${fault}`
              : `holds  ${chain} ${tx_hash} in block ${height} ${block_hash}`,
          )
          .join('\n'),
      );
      if (checked.length === 0 || checked.some(({ fault }) => fault !== null)) process.exitCode = 1;
    });
}

function oneLine(value: unknown): string {
  return withoutControls(String(value)).replace(/\s+/g, ' ').slice(0, 100);
}

function proofsIn(file: string): unknown[] {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is not a file of proofs: ${error instanceof Error ? error.message : error}`);
  }
  const proofs = Array.isArray(read) ? read : (Object(read) as { proofs?: unknown }).proofs;
  if (!Array.isArray(proofs)) throw new Error(`${file} is not a file of proofs: it has no list "proofs"`);
  return proofs;
}
