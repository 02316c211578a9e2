import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';

interface ConfirmButtonProps {
  label: string;
  /** Object of the action; read out after the label. */
  about: string;
  disabled?: boolean;
  onConfirm: () => void;
}

/** Asks before it acts. The first click turns the button into `Cancel`, so a double click does nothing. */
export function ConfirmButton({ label, about, disabled, onConfirm }: ConfirmButtonProps) {
  const [asked, setAsked] = useState(false);
  const texts = words().parts;
  return (
    <span class="confirm">
      <button
        type="button"
        disabled={disabled}
        aria-label={`${asked ? texts.cancel : label}: ${about}`}
        onClick={() => setAsked(!asked)}
      >
        {asked ? texts.cancel : label}
      </button>
      {asked && (
        <button
          type="button"
          class="danger"
          disabled={disabled}
          aria-label={`${texts.confirm}, ${label}: ${about}`}
          onClick={() => {
            setAsked(false);
            onConfirm();
          }}
        >
          {texts.confirm}, {label}
        </button>
      )}
    </span>
  );
}
