import { useState } from 'preact/hooks';
import type { SceneNode } from '../../../../src/domain/scene/scene.ts';
import { dollars } from '../../../browser/figures.ts';
import { labelled, words } from '../../../browser/words.ts';
import { checkPair, findPaths } from '../../../canvas-session/asks.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { CopyCypher } from '../../../parts/copy.tsx';
import { Field } from '../../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';

interface PairPanelProps {
  session: CanvasSession;
  from: SceneNode;
  to?: SceneNode;
}

/** Two addresses: the ways of money between them, and whether they are related. */
export function PairPanel({ session, from, to }: PairPanelProps) {
  const texts = words().investigate;
  const [far, setFar] = useState(to?.address ?? '');
  const [toChain, setToChain] = useState<string>(to?.chain ?? from.chain);
  const [result, setResult] = useState<string[]>([]);
  const [cypher, setCypher] = useState<string | undefined>(undefined);
  const pair = { from: from.address, chain: from.chain, to: far.trim(), toChain };
  const find = () =>
    session.run(async (signal) => {
      const { paths, note, cypher: asked } = await findPaths(session, pair, signal);
      const widths = paths.map(({ bottleneck_usd: usd }) => labelled(words().canvas.bottleneck, dollars(usd)));
      setResult([paths.length > 0 ? texts.paths(paths.length) : texts.noPath, ...new Set(widths), note ?? '']);
      setCypher(asked);
    });
  const check = () =>
    session.run(async (signal) => {
      const found = await checkPair(session, pair, signal);
      setResult([
        found.related ? texts.related : texts.unrelated,
        found.shortest_path ? texts.paths(1) : '',
        found.same_entity ? texts.sameEntity : '',
        texts.shared(found.shared_count),
        found.note ?? '',
      ]);
      setCypher(found.cypher);
    });
  const busy = session.busy.value || !pair.to;
  return (
    <details open={to !== undefined}>
      <summary>{texts.pair}</summary>
      <Field label={texts.to}>
        <input spellcheck={false} value={far} onInput={(event) => setFar(event.currentTarget.value)} />
      </Field>
      <Field label={texts.toChain}>
        <ChoiceSelect value={toChain} choices={CHAIN_CHOICES} onChange={setToChain} />
      </Field>
      <div class="row">
        <button type="button" disabled={busy} onClick={find}>
          {texts.path}
        </button>
        <button type="button" disabled={busy} onClick={check}>
          {texts.relationship}
        </button>
      </div>
      <div role="status">
        {result.filter(Boolean).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <CopyCypher text={cypher} />
    </details>
  );
}
