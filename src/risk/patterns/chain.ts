import type { Flow, Neighbourhood } from './neighbourhood.ts';

/**
 * The longest chain of transfers, through the subject and with no address twice, in which `onward` names what each
 * transfer became.
 */
export function longestChain(
  { subject, flows }: Neighbourhood,
  fromUsd: number,
  onward: (flow: Flow) => Flow | undefined,
): Flow[] {
  const became = new Map<string, Flow | undefined>();
  const next = (flow: Flow) => {
    if (!became.has(flow.id)) became.set(flow.id, onward(flow));
    return became.get(flow.id);
  };
  let longest: Flow[] = [];
  for (const start of flows) {
    if (start.usd < fromUsd) break;
    const chain = [start];
    const passed = new Set([start.from, start.to]);
    for (let flow = next(start); flow && !passed.has(flow.to); flow = next(flow)) {
      chain.push(flow);
      passed.add(flow.to);
    }
    if (passed.has(subject) && chain.length > longest.length) longest = chain;
  }
  return longest;
}
