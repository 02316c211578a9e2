import { isAdverseCategory, isLawfulService } from '../domain/label.ts';
import { iso } from '../domain/time.ts';
import type { CaseIndicator, CaseIndicators, Tlp } from './indicators.ts';
import { uuid5 } from './uuid5.ts';

/** The marking definitions that STIX 2.1 has for the Traffic Light Protocol, whose `clear` it knows as `white`. */
const MARKINGS: Record<Tlp, { name: string; id: string }> = {
  clear: { name: 'white', id: 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9' },
  green: { name: 'green', id: 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da' },
  amber: { name: 'amber', id: 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82' },
  red: { name: 'red', id: 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed' },
};
const MARKED_AT = '2017-01-20T00:00:00.000Z';
const AUTHOR_SINCE = '2026-01-01T00:00:00.000Z';

/** The indicators of a case as a STIX 2.1 bundle: who made it, its marking, an indicator each, and the report of the case. */
export function stixBundle(given: CaseIndicators): string {
  const { caseId, title, openedAt, exportedAt, tlp, indicators } = given;
  const marking = MARKINGS[tlp];
  const author = {
    type: 'identity',
    spec_version: '2.1',
    id: `identity--${uuid5('author')}`,
    created: AUTHOR_SINCE,
    modified: AUTHOR_SINCE,
    name: 'traceflow',
    identity_class: 'system',
  };
  const common = {
    spec_version: '2.1',
    created_by_ref: author.id,
    object_marking_refs: [marking.id],
    external_references: [{ source_name: 'traceflow case', external_id: caseId }],
  };
  const objects = indicators.map((indicator) => {
    const { chain, address, confidence, label, category, role, addedAt } = indicator;
    return {
      type: 'indicator',
      id: `indicator--${uuid5('indicator', caseId, chain, address)}`,
      ...common,
      created: iso(addedAt),
      modified: iso(Math.max(addedAt, exportedAt)),
      name: `${chain}: ${label ?? address}`,
      description: `${category}, ${role}`,
      indicator_types: [typeOf(indicator)],
      pattern: `[cryptocurrency-wallet:address = '${address.replace(/[\\']/g, '\\$&')}']`,
      pattern_type: 'stix',
      pattern_version: '2.1',
      valid_from: iso(addedAt),
      ...(confidence !== null && { confidence }),
      labels: [chain, category],
    };
  });
  const report = {
    type: 'report',
    id: `report--${uuid5('report', caseId)}`,
    ...common,
    created: iso(openedAt),
    modified: iso(Math.max(openedAt, exportedAt)),
    name: title,
    report_types: ['indicator'],
    published: iso(openedAt),
    // A report refers to one object at least.
    object_refs: [author.id, ...objects.map(({ id }) => id)],
  };
  const definition = {
    type: 'marking-definition',
    spec_version: '2.1',
    id: marking.id,
    created: MARKED_AT,
    definition_type: 'tlp',
    name: `TLP:${marking.name.toUpperCase()}`,
    definition: { tlp: marking.name },
  };
  const bundle = {
    type: 'bundle',
    id: `bundle--${uuid5('bundle', caseId)}`,
    objects: [author, definition, ...objects, report],
  };
  return `${JSON.stringify(bundle, null, 1)}\n`;
}

/** A word of the vocabulary of STIX: being in a case alone accuses no one. */
function typeOf({ category }: CaseIndicator): string {
  if (category === 'mixer') return 'anonymization';
  if (isAdverseCategory(category)) return 'malicious-activity';
  return isLawfulService(category) ? 'benign' : 'unknown';
}
