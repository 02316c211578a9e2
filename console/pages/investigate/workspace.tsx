import type { Core } from 'cytoscape';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { GraphCanvas } from '../../graph/graph-canvas.tsx';
import { isUnread } from '../../graph/money-graph.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { AddressList } from './address-list.tsx';
import { ChosenPanel } from './chosen-panel.tsx';
import { ExposurePanel } from './exposure-panel.tsx';
import { FlowList } from './flow-list.tsx';
import { useInvestigation } from './investigation.ts';
import { PairPanel } from './pair-panel.tsx';
import { SaveButtons } from './save-buttons.tsx';
import { TerminalsPanel } from './terminals-panel.tsx';
import { FlowTimeline } from './timeline.tsx';
import { TracePanel } from './trace-panel.tsx';

/** The canvas, panels that extend its graph, and the same addresses and flows as lists. */
export function Workspace({ chain, start }: { chain: string; start: string }) {
  const texts = words().investigate;
  const investigation = useInvestigation(chain, start);
  const { graph, busy, error, expand, read } = investigation;
  const [chosen, setChosen] = useState<string | null>(graph.start);
  const [until, setUntil] = useState<string | null>(null);
  const canvas = useRef<Core | null>(null);
  useEffect(() => {
    void expand({ chain, address: start });
  }, []);
  const choose = (key: string) => {
    setChosen(key);
    const node = graph.nodes.get(key);
    if (node && isUnread(graph, node)) void read(node);
  };
  return (
    <>
      <div class="workspace">
        <section class="card stage" aria-label={texts.title}>
          <p class="muted">{texts.hint}</p>
          <GraphCanvas
            graph={graph}
            until={until}
            selected={chosen}
            label={texts.canvas(graph.nodes.size, graph.edges.size)}
            onNode={choose}
            onEdge={setChosen}
            onReady={(core) => {
              canvas.current = core;
            }}
          />
          <FlowTimeline edges={[...graph.edges.values()]} until={until} onChange={setUntil} />
          <SaveButtons canvas={() => canvas.current} graph={graph} />
        </section>
        <div class="panels">
          <ErrorNote error={error} />
          {busy && <Loading text={texts.working} />}
          <ChosenPanel investigation={investigation} chosen={chosen} />
          <TracePanel investigation={investigation} />
          <ExposurePanel investigation={investigation} />
          <TerminalsPanel investigation={investigation} />
          <PairPanel key={chosen} investigation={investigation} chosen={chosen} />
        </div>
      </div>
      <AddressList investigation={investigation} onChoose={choose} />
      <FlowList graph={graph} until={until} />
    </>
  );
}
