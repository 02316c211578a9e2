import { browserText } from '../../graph/browser-text.ts';
import type { Graph } from '../../graph/port.ts';
import { recorded } from '../../graph/recorded.ts';

/** Answers the question; where it is wanted, with the statements that were asked of the graph. */
export async function withCypher<Answer extends object>(
  graph: Graph,
  isWanted: boolean,
  question: (graph: Graph) => Promise<Answer>,
): Promise<Answer & { cypher?: string }> {
  if (!isWanted) return question(graph);
  const { graph: noted, asked } = recorded(graph);
  const answer = await question(noted);
  return { ...answer, cypher: browserText(asked) };
}
