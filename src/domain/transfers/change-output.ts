/** An input or an output; null where its script has no address. */
interface SpentOrPaid {
  address: string | null;
  /** Satoshi. */
  value: bigint;
}

/** People type amounts to a thousandth of a coin; what is left over is seldom so even, satoshi. */
const ROUND = 100_000n;

/**
 * Returns the address of the output that at least two of three signs call change, and none speaks against; null without one. The
 * signs: its script is of the kind that all inputs have and no other output has; its amount alone is not round; it alone is smaller
 * than every input, so that all of them were needed. An output to a payer is change that everybody sees: then no other is.
 */
export function changeOutput({
  inputs,
  outputs,
}: {
  inputs: readonly SpentOrPaid[];
  outputs: readonly SpentOrPaid[];
}): string | null {
  const paid = outputs.filter(({ value }) => value > 0n);
  const payers = new Set(inputs.map(({ address }) => address));
  const addresses = paid.map(({ address }) => address);
  if (paid.length < 2 || payers.has(null) || addresses.some((address) => payers.has(address))) return null;
  if (new Set(addresses).size < paid.length) return null;
  const kinds = new Set(inputs.map(({ address }) => scriptOf(address)));
  const [kind] = kinds;
  const isOfKind = ({ address }: SpentOrPaid) => kinds.size === 1 && kind !== null && scriptOf(address) === kind;
  const signs = [
    onlyOne(paid, isOfKind),
    onlyOne(paid, ({ value }) => value % ROUND !== 0n),
    inputs.length > 1 ? onlyOne(paid, ({ value }) => inputs.every((input) => value < input.value)) : null,
  ].filter((one) => one !== null);
  const [first] = signs;
  const speaksAgainst = first !== undefined && !isOfKind(first) && paid.some(isOfKind);
  return signs.length >= 2 && signs.every((one) => one === first) && !speaksAgainst ? first!.address : null;
}

function onlyOne(outputs: readonly SpentOrPaid[], isSo: (output: SpentOrPaid) => boolean): SpentOrPaid | null {
  const found = outputs.filter(isSo);
  return found.length === 1 ? found[0]! : null;
}

/** The kind of script that an address names; null for what has none. */
function scriptOf(address: string | null): string | null {
  if (address === null) return null;
  const kind = /^(?:1|3|bc1q|bc1p)/.exec(address)?.[0] ?? null;
  return kind === 'bc1q' ? `${kind}${address.length}` : kind;
}
