import { hash } from 'node:crypto';
import { isValidAt, type Label } from '../domain/label.ts';

/**
 * Digest of what labels say about addresses at a moment (epoch ms). It stays the same until a label of them comes, goes,
 * changes, begins or ends; names that a block explorer shows do not count.
 */
export function labelState(
  addresses: readonly string[],
  labelsOf: (address: string) => readonly Label[],
  at: number,
): string {
  const rows = addresses.flatMap((address) =>
    labelsOf(address)
      .filter(({ source }) => source !== 'explorer_tag')
      .map((label) => {
        const { category, label: name, source, confidence, validFrom, validTo, maliciousContract } = label;
        const isValid = isValidAt(label, at);
        return JSON.stringify([
          address,
          category,
          name,
          source,
          confidence,
          validFrom,
          validTo,
          maliciousContract,
          isValid,
        ]);
      }),
  );
  return hash('sha256', rows.sort().join('\n')).slice(0, 32);
}
