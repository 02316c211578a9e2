import { Engine, type TopLevelCondition } from 'json-rules-engine';
import { type Facts, RULE_BOUNDS, RULE_FACTS, RULE_OPERATORS, type RuleCondition } from '../../domain/rule-facts.ts';
import { InvalidInputError } from '../../errors.ts';

/** Evaluates rules over the facts of one scan. */
export interface RuleSet {
  /** The ids of those that match. */
  matches(facts: Facts): Promise<string[]>;
}

/** Makes rules ready; their conditions were checked when they were written. */
export function openRules(rules: readonly { id: string; when: RuleCondition }[]): RuleSet {
  const engine = new Engine([], { allowUndefinedFacts: false });
  for (const { id, when } of rules) {
    engine.addRule({ conditions: topLevel(when), event: { type: id } });
  }
  return {
    matches: async (facts) => (await engine.run(facts)).events.map(({ type }) => type),
  };
}

/** The engine wants a group at the top. */
function topLevel(when: RuleCondition): TopLevelCondition {
  return ('fact' in when ? { all: [when] } : when) as TopLevelCondition;
}

/**
 * Builds a condition of what a client sent: only groups, known facts and their operators come through, so that nothing of the
 * sender's reaches the engine unread. Throws InvalidInputError that says where.
 */
export function parseCondition(given: unknown): RuleCondition {
  let conditions = 0;
  const parse = (value: unknown, depth: number, where: string): RuleCondition => {
    if (depth > RULE_BOUNDS.depth) throw new InvalidInputError(`Rule is deeper than ${RULE_BOUNDS.depth} groups`);
    conditions += 1;
    if (conditions > RULE_BOUNDS.conditions) {
      throw new InvalidInputError(`Rule has more than ${RULE_BOUNDS.conditions} conditions`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(where, 'should be an object');
    const own = new Map(Object.entries(value));
    const [key, ...more] = ['all', 'any', 'not', 'fact'].filter((name) => own.has(name));
    if (key === undefined || more.length > 0) return refuse(where, 'should have one of all, any, not, fact');
    const extra = [...own.keys()].find((name) => !['all', 'any', 'not', 'fact', 'operator', 'value'].includes(name));
    if (extra !== undefined) return refuse(where, 'has a key that rules do not know');
    if (key === 'not') return { not: parse(own.get('not'), depth + 1, `${where}.not`) };
    if (key === 'fact') return parseLeaf(own, where);
    const list = own.get(key);
    if (!Array.isArray(list) || list.length === 0)
      return refuse(`${where}.${key}`, 'should be a list that is not empty');
    const parts = list.map((one, n) => parse(one, depth + 1, `${where}.${key}.${n}`));
    return key === 'all' ? { all: parts } : { any: parts };
  };
  return parse(given, 1, 'when');
}

function parseLeaf(own: ReadonlyMap<string, unknown>, where: string): RuleCondition {
  const [fact, operator, value] = ['fact', 'operator', 'value'].map((name) => own.get(name));
  const known = typeof fact === 'string' ? RULE_FACTS[fact] : undefined;
  if (!known) return refuse(`${where}.fact`, 'is not a fact of GET /rule-facts');
  if (typeof operator !== 'string' || !RULE_OPERATORS[known.type].includes(operator)) {
    return refuse(`${where}.operator`, `should be one of ${RULE_OPERATORS[known.type].join(', ')}`);
  }
  const isText = (one: unknown) => typeof one === 'string' && one.length <= RULE_BOUNDS.text;
  const isMany = operator === 'in' || operator === 'notIn';
  const isRight = isMany
    ? Array.isArray(value) && value.length <= RULE_BOUNDS.values && value.every(isText)
    : known.type === 'number'
      ? Number.isFinite(value)
      : known.type === 'boolean'
        ? typeof value === 'boolean'
        : isText(value);
  if (!isRight) return refuse(`${where}.value`, `does not fit ${String(fact)}`);
  const copy = Array.isArray(value) ? [...(value as string[])] : (value as string | number | boolean);
  return { fact: fact as string, operator, value: copy };
}

function refuse(where: string, what: string): never {
  throw new InvalidInputError(`${where} ${what}`);
}
