interface ProgressBarProps {
  label: string;
  /** 0 to 1; null where there is no limit to fill. */
  share: number | null;
  /** Text beside the bar, such as `3 of 5`. */
  text: string;
}

/** How far work is, or how much of a limit is used. */
export function ProgressBar({ label, share, text }: ProgressBarProps) {
  return (
    <div class="progress-bar">
      <span>{label}</span>
      {share === null ? <span /> : <progress max={1} value={share} aria-label={label} />}
      <span class="numeric">{text}</span>
    </div>
  );
}
