import { useState } from 'preact/hooks';
import type { SceneNode } from '../../../../src/domain/scene/scene.ts';
import { percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { traceAndFollow } from '../../../canvas-session/asks.ts';
import type { CanvasSession } from '../../../canvas-session/canvas-session.ts';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { SpendButton } from '../../../parts/form/spend-button.tsx';
import type { TraceJob } from '../../../service/tracing-answers.ts';

const ADDRESSES = { usual: 25, max: 500 };
/** As far as a scan follows money: a trace that ends earlier would know less than the scan before it. */
const HOPS = { usual: 15, max: 15 };

interface TracePanelProps {
  session: CanvasSession;
  node: SceneNode;
  /** The direction that is chosen first. */
  usual?: 'sent' | 'received';
}

/** Reads what the graph is missing of the money of an address, then draws its account. */
export function TracePanel({ session, node, usual = 'sent' }: TracePanelProps) {
  const texts = words().investigate;
  const [direction, setDirection] = useState<string>(usual);
  const [most, setMost] = useState(ADDRESSES.usual);
  const [hops, setHops] = useState(HOPS.usual);
  const [trace, setTrace] = useState<TraceJob | null>(null);
  const begin = () =>
    session.run((signal) =>
      traceAndFollow(session, node, { direction, max_addresses: most, max_hops: hops }, setTrace, signal),
    );
  return (
    <details>
      <summary>{texts.trace}</summary>
      <p class="muted">{texts.traceHint}</p>
      <div class="row">
        <Field label={texts.direction}>
          <ChoiceSelect
            value={direction}
            choices={{ sent: texts.sent, received: texts.received, both: texts.both }}
            onChange={setDirection}
          />
        </Field>
        <LimitField label={texts.addressesMax} max={ADDRESSES.max} value={most} onInput={setMost} />
        <LimitField label={texts.hopsMax} max={HOPS.max} value={hops} onInput={setHops} />
      </div>
      <SpendButton label={texts.start} scans={most} disabled={session.busy.value || most < 1} onSpend={begin} />
      {trace && (
        <div role="status">
          <progress value={trace.progress} max="1" aria-label={texts.trace} />
          <p>
            {texts.progress(trace.addresses_read)} ·{' '}
            {texts.attributed(percentOnLine(trace.attributed.received), percentOnLine(trace.attributed.sent))}
          </p>
        </div>
      )}
    </details>
  );
}

interface LimitFieldProps {
  label: string;
  max: number;
  value: number;
  onInput: (value: number) => void;
}

function LimitField({ label, max, value, onInput }: LimitFieldProps) {
  return (
    <Field label={label}>
      <input
        type="number"
        min="1"
        max={max}
        value={value}
        onInput={(event) => onInput(Number(event.currentTarget.value))}
      />
    </Field>
  );
}
