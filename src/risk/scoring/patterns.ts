import { describe } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import { append } from '../../domain/append.ts';
import { SEVERITIES } from '../detection.ts';
import type { Neighbourhood, Pattern, Search } from '../views/neighbourhood.ts';
import { AROUND } from './detectors.ts';
import { patternFigures, type Shape } from './patterns-around.ts';

/** The patterns around a subject that is not a service, gravest first. `pause` is awaited after each typology. */
export async function findPatterns(
  around: Neighbourhood,
  pause: () => Promise<void> | undefined,
): Promise<Search & { patterns: Pattern[] }> {
  const search: Search = { cut: false };
  const patterns: Pattern[] = [];
  for (const { around: typology } of AROUND) {
    append(patterns, typology.find(around, search));
    await pause();
  }
  patterns.sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.usd - a.usd);
  return { ...search, patterns };
}

/** Name and description of a pattern around a subject, in the words of the detector that it counts in. */
export function describePattern(
  pattern: Shape,
  subject: string,
  lang: Language,
): { name: string; description: string } {
  const known = AROUND.find(({ around }) => around.pattern === pattern.pattern_id);
  const { id, around } = known ?? { id: pattern.pattern_id };
  const arrives = id === 'scatter_gather' && !pattern.flows.some(({ from }) => from === subject);
  const details = { variant: arrives ? 'received' : around?.variant, measured: patternFigures(pattern, subject) };
  const { detector_name, description } = describe({ detector_id: id, details }, lang);
  return { name: detector_name, description };
}
