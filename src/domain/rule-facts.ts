import { ADVERSE_CATEGORIES } from './label.ts';

/** A fact that a rule may ask for: its type, and what it says. */
export interface RuleFact {
  type: 'text' | 'number' | 'boolean' | 'list';
  about: string;
}

const EXPOSED = [...ADVERSE_CATEGORIES, 'gambling'] as const;

const exposure = (category: string): [string, RuleFact][] => [
  [
    `${category}_received_usd`,
    { type: 'number', about: `US dollars received from ${category}, as a detection measured it` },
  ],
  [`${category}_received_share`, { type: 'number', about: `0 to 1 of the money received that is from ${category}` }],
  [`${category}_sent_usd`, { type: 'number', about: `US dollars sent to ${category}, as a detection measured it` }],
  [`${category}_sent_share`, { type: 'number', about: `0 to 1 of the money sent that went to ${category}` }],
  [`${category}_hops`, { type: 'number', about: `transfers to the nearest ${category}: 1 for a counterparty` }],
];

/**
 * The one flat object that rules ask, built of a scan. A fact that a scan does not have is 0, false, empty or an empty list, but
 * for hops, which are 99.
 */
export const RULE_FACTS: Readonly<Record<string, RuleFact>> = Object.assign(
  Object.create(null) as Record<string, RuleFact>,
  {
    chain: { type: 'text', about: 'the chain' },
    address: { type: 'text', about: 'the scanned address, canonical' },
    address_type: { type: 'text', about: '`wallet`, `contract`, `multisig`, …' },
    source: { type: 'text', about: 'what asked: `sync`, `async`, `batch`, `watchlist`, `transfer`, …' },
    level: { type: 'text', about: '`CRITICAL`, `HIGH`, `MEDIUM`, `LOW`, `UNKNOWN`' },
    score: { type: 'number', about: '0 to 100' },
    detections: { type: 'list', about: 'ids of what was detected' },
    findings: { type: 'list', about: 'severity and id of what was detected: `HIGH structuring`' },
    detection_count: { type: 'number', about: 'how much was detected' },
    transactions: { type: 'number', about: 'transactions of the address' },
    counterparties: { type: 'number', about: 'addresses that it dealt with' },
    counterparty_labels: { type: 'list', about: 'names of the 25 largest counterparties, in lower case' },
    counterparty_categories: { type: 'list', about: 'their categories' },
    assets: { type: 'list', about: 'symbols of what it received or sent' },
    age_days: { type: 'number', about: 'days from its first to its last known transfer' },
    idle_days: { type: 'number', about: 'days that it was idle before it moved again, where that was detected' },
    watched: { type: 'boolean', about: 'the account watches the address' },
    in_case: { type: 'boolean', about: 'a case of the account holds the address' },
    direction: { type: 'text', about: '`deposit` or `withdrawal` of a screened transfer' },
    reference: { type: 'text', about: 'its reference' },
    customer_ref: { type: 'text', about: 'its customer' },
    transfer_usd: { type: 'number', about: 'US dollars that it moved; 0 where no price is known' },
    transfer_assets: { type: 'list', about: 'symbols of what it moved' },
    ...Object.fromEntries(EXPOSED.flatMap(exposure)),
  } satisfies Record<string, RuleFact>,
);

type FactValue = string | number | boolean | string[];
export type Facts = Record<string, FactValue>;

const EMPTY = { text: '', number: 0, boolean: false } as const;

/** All facts as nothing is known of them. */
export function noFacts(): Facts {
  return Object.fromEntries(
    Object.entries(RULE_FACTS).map(([name, { type }]) => {
      if (name.endsWith('_hops')) return [name, 99];
      return [name, type === 'list' ? [] : EMPTY[type]];
    }),
  );
}

/** How a rule compares, in the words of `json-rules-engine`, by type of fact. */
export const RULE_OPERATORS: Record<RuleFact['type'], readonly string[]> = {
  text: ['equal', 'notEqual', 'in', 'notIn'],
  number: ['equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'],
  boolean: ['equal', 'notEqual'],
  list: ['contains', 'doesNotContain'],
};

export const RULE_BOUNDS = {
  rules: 100,
  conditions: 50,
  depth: 5,
  values: 100,
  text: 200,
  alertsAnHour: 500,
  /** Runs over recorded scans that wait or work: each takes seconds and costs no scan. */
  runs: 10,
} as const;

export const RULE_MODES = ['test', 'active', 'off'] as const;
export type RuleMode = (typeof RULE_MODES)[number];

interface RuleLeaf {
  fact: string;
  operator: string;
  value: string | number | boolean | string[];
}
export type RuleCondition = { all: RuleCondition[] } | { any: RuleCondition[] } | { not: RuleCondition } | RuleLeaf;

/** A rule as it is shipped; all are off until an account makes one of its own of it. */
export interface RulePreset {
  id: string;
  name: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  when: RuleCondition;
}

export const RULE_PRESETS: readonly RulePreset[] = [
  {
    id: 'large_cash_out',
    name: 'Large cash-out',
    severity: 'high',
    when: {
      all: [
        { fact: 'direction', operator: 'equal', value: 'withdrawal' },
        { fact: 'transfer_usd', operator: 'greaterThanInclusive', value: 50_000 },
      ],
    },
  },
  {
    id: 'first_contact_with_mixer',
    name: 'Contact with a mixer',
    severity: 'high',
    when: {
      any: [
        { fact: 'mixer_hops', operator: 'lessThanInclusive', value: 1 },
        { fact: 'counterparty_categories', operator: 'contains', value: 'mixer' },
      ],
    },
  },
  {
    id: 'structuring',
    name: 'Transfers just below a threshold',
    severity: 'medium',
    when: {
      any: [
        { fact: 'detections', operator: 'contains', value: 'structuring' },
        {
          all: [
            { fact: 'transfer_usd', operator: 'greaterThanInclusive', value: 9_000 },
            { fact: 'transfer_usd', operator: 'lessThan', value: 10_000 },
          ],
        },
      ],
    },
  },
  {
    id: 'dormant_wallet_awake',
    name: 'Dormant wallet awake',
    severity: 'medium',
    when: { all: [{ fact: 'detections', operator: 'contains', value: 'dormant_reactivation' }] },
  },
];
