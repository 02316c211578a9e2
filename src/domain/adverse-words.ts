import type { Category } from './label.ts';

/** Names of parties that work against what their name says, or words that mean something else. */
const HARMLESS =
  /white.?hat(?:.?hack\w*)?|hackathon|\bhacken\b|anti.?(?:phish|scam|fraud|hack|drain|ransom)\w*|(?:phish|scam|fraud|hack|rug|drainer)\w*[\s_.-]?(?:sniffer|db|doc|fort|proof|verifier|alert|protect|detect|report|bounty|blocker)\w*/gi;

/** Words of lists and explorers that accuse, gravest first. */
const ACCUSING: readonly [RegExp, Category][] = [
  [/sanction|\bofac\b|\bsdn\b/i, 'sanctioned'],
  [/terror/i, 'terrorism'],
  [/\bcsam\b|child.?(?:sex|porn|abuse|exploit)|pa?edophil/i, 'child_abuse'],
  [
    /dark.?(?:net|web|market)|narcotic|\bdrugs?\b|traffick|weapon|murder|violen|extremis|counterfeit|launder/i,
    'darknet',
  ],
  [/drainer/i, 'drainer'],
  [/ransom/i, 'ransomware'],
  [/phish/i, 'scam'],
  [/hack|exploit|heist|theft|thief|thieves|stolen|robbe/i, 'theft'],
  [
    /scam|fraud|ponzi|pyramid|rug.?pull|honeypot|malicious|malware|fake|impersonat|spoof|poison|extort|blackmail|black.?list|\bblocked\b|\bbanned\b|abuse|illicit|illegal|criminal|crime|suspicious|fishy|high.?risk|flagged/i,
    'scam',
  ],
  [/mixer|\bmixing\b|tornado|tumbler|coinjoin/i, 'mixer'],
];

/** The adverse category of which a word or name of a list speaks; null where it accuses of nothing. */
export function adverseCategory(words: string): Category | null {
  const accusing = words.replaceAll('_', ' ').replace(HARMLESS, ' ');
  return ACCUSING.find(([pattern]) => pattern.test(accusing))?.[1] ?? null;
}
