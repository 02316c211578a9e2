import type { Core } from 'cytoscape';
import { saveFile } from '../../browser/save-file.ts';
import { words } from '../../browser/words.ts';
import { graphCsv, graphPng, graphSvg } from '../../graph/export-graph.ts';
import type { MoneyGraph } from '../../graph/money-graph.ts';

/** Saves the canvas as a picture or a drawing, and its flows as a table. */
export function SaveButtons({ canvas, graph }: { canvas: () => Core | null; graph: MoneyGraph }) {
  const name = `traceflow-${graph.nodes.get(graph.start)?.address.slice(0, 12)}`;
  const save = async (kind: 'png' | 'svg' | 'csv') => {
    const drawn = canvas();
    if (kind === 'csv') saveFile(`${name}.csv`, graphCsv(graph));
    else if (drawn) saveFile(`${name}.${kind}`, kind === 'png' ? await graphPng(drawn) : graphSvg(drawn, graph));
  };
  return (
    <div class="row center">
      <span>{words().investigate.save}</span>
      {(['png', 'svg', 'csv'] as const).map((kind) => (
        <button key={kind} type="button" onClick={() => save(kind)}>
          {kind.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
