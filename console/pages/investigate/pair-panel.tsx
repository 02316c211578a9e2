import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { addPath } from '../../graph/money-graph.ts';
import { CopyCypher } from '../../parts/copy-cypher.tsx';
import { Field } from '../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { call } from '../../service/api.ts';
import type { FlowPaths, Relationship } from '../../service/tracing-answers.ts';
import type { Investigation } from './investigation.ts';

/** Finds paths of money from one address to another, and checks whether the two are related. */
export function PairPanel({ investigation, chosen }: { investigation: Investigation; chosen: string | null }) {
  const texts = words().investigate;
  const { chain, start, graph, busy, grow, run } = investigation;
  const [from, setFrom] = useState(start);
  const target = chosen === null || chosen === graph.start ? undefined : graph.nodes.get(chosen);
  const [to, setTo] = useState(target?.address ?? '');
  const [toChain, setToChain] = useState(target?.chain ?? chain);
  const [result, setResult] = useState<string[]>([]);
  const [cypher, setCypher] = useState<string | undefined>(undefined);

  const findPath = () =>
    run(async (signal) => {
      const body = { from_address: from.trim(), chain, to_address: to.trim(), to_chain: toChain, cypher: 'on' };
      const found = await call<FlowPaths>('/graph/flow-path', { method: 'POST', body, signal });
      const { paths, note } = found;
      for (const path of paths) grow((before) => addPath(before, path.hops));
      setResult([paths.length > 0 ? texts.paths(paths.length) : texts.noPath, note ?? '']);
      setCypher(found.cypher);
    });
  const checkRelationship = () =>
    run(async (signal) => {
      const body = { address_a: from.trim(), chain, address_b: to.trim(), chain_b: toChain, cypher: 'on' };
      const found = await call<Relationship>('/graph/relationship-check', { method: 'POST', body, signal });
      const { shortest_path: path } = found;
      if (path) grow((before) => addPath(before, path.hops));
      setResult([
        found.related ? texts.related : texts.unrelated,
        path ? texts.paths(1) : '',
        found.same_entity ? texts.sameEntity : '',
        texts.shared(found.shared_count),
        found.note ?? '',
      ]);
      setCypher(found.cypher);
    });

  return (
    <section class="card" aria-labelledby="pair">
      <h2 id="pair">{texts.pair}</h2>
      <Field label={texts.from}>
        <input spellcheck={false} value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
      </Field>
      <Field label={texts.to}>
        <input spellcheck={false} value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      </Field>
      <Field label={texts.toChain}>
        <ChoiceSelect value={toChain} none={texts.sameChain} choices={CHAIN_CHOICES} onChange={setToChain} />
      </Field>
      <div class="row">
        <button type="button" disabled={busy || !to} onClick={findPath}>
          {texts.path}
        </button>
        <button type="button" disabled={busy || !to} onClick={checkRelationship}>
          {texts.relationship}
        </button>
      </div>
      <div role="status">
        {result.filter(Boolean).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <CopyCypher text={cypher} />
    </section>
  );
}
