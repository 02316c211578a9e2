/** Why an address was flagged, by pattern, or pattern and variant; `median` for tokens without a price. */
export const sweep = {
  known_malicious: 'In the registry as {category}: {label} (source: {source}).',
  'known_malicious.reported': 'Reported as {category}: {label} (reported by {source}).',
  address_poisoning:
    'Baits {victim}: looks like {genuine}, which it really dealt with ({prefix} characters in front and {suffix} at the end are the same; {kind}). {victims|victim|victims} in this window.',
  'address_poisoning.loss':
    'Baits {victim}: looks like {genuine}, which it really dealt with ({prefix} characters in front and {suffix} at the end are the same; {kind}). {victims|victim|victims} in this window, {losses|payment was|payments were} misdirected to it.',
  relay_chain:
    'Passed {usd} on {minutes} after receipt and kept back almost nothing ({kept_share} went on), in a chain of {hops} transfers from {from} to {to}.',
  'relay_chain.median':
    'Passed {times_median} times the usual amount on {minutes} after receipt and kept back almost nothing ({kept_share} went on), in a chain of {hops} transfers from {from} to {to}.',
  rapid_distribution: 'Sent {usd} to {receivers} receivers within {minutes}.',
  'rapid_distribution.median': 'Sent {times_median} times the usual amount to {receivers} receivers within {minutes}.',
  large_transfer: '{count|transfer|transfers} among the largest 1 % of the window, the largest of {usd}.',
  'large_transfer.median':
    '{count|transfer|transfers} among the largest 1 % of the window, the largest {times_median} times the usual amount.',
};

export type SweepWords = typeof sweep;
