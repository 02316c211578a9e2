import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import type { Usage } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

interface SpendButtonProps {
  label: string;
  /** Scans that it costs at most. */
  scans: number;
  disabled?: boolean;
  onSpend: () => void;
}

/** Buttons that appear together, such as those of a table's rows, have one answer in common for so long. */
const SHARED_MS = 1_000;
let shared: Promise<Usage> | null = null;

function usage(): Promise<Usage> {
  if (shared) return shared;
  const asked = call<Usage>('/public/usage');
  shared = asked;
  const forget = () => {
    shared = null;
  };
  asked.then(() => setTimeout(forget, SHARED_MS), forget);
  return asked;
}

/** Most scans that are spent without a question. */
const ASKED_FROM = 6;

/** A button that costs scans: it says how many, what is left of them, and asks once where it is more than five. */
export function SpendButton({ label, scans, disabled, onSpend }: SpendButtonProps) {
  const texts = words().canvas;
  const [asked, setAsked] = useState(false);
  const { answer } = useAnswer<Usage>(usage, [disabled]);
  const left = answer && answer.scans_remaining >= 0 ? answer.scans_remaining + answer.topup_remaining : null;
  const spend = () => {
    setAsked(false);
    onSpend();
  };
  return (
    <span class="spend">
      <button
        type="button"
        disabled={disabled}
        onClick={() => (scans >= ASKED_FROM && !asked ? setAsked(true) : spend())}
      >
        {asked ? texts.spendConfirm(scans) : `${label} · ${texts.scans(scans)}`}
      </button>
      {asked && (
        <button type="button" onClick={() => setAsked(false)}>
          {words().parts.cancel}
        </button>
      )}
      <span class="muted"> {left === null ? '' : texts.scansLeft(left)}</span>
    </span>
  );
}
