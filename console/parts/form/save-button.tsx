import { saveFile } from '../../browser/save-file.ts';
import { callFile } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { ErrorNote } from '../notes.tsx';

interface SaveButtonProps {
  label: string;
  /** The file's path below `/api/v1`. */
  path: string;
  query?: Record<string, string>;
  /** Where the answer names no file. */
  name: string;
  onSaved?: () => void;
  primary?: boolean;
}

/** Saves a file that the API makes. */
export function SaveButton({ label, path, query, name, onSaved, primary }: SaveButtonProps) {
  const { run, busy, error } = useAction(async () => {
    const file = await callFile(path, { query });
    saveFile(file.name ?? name, file.content);
    onSaved?.();
  });
  return (
    <span class="save-button">
      <button type="button" class={primary ? 'primary' : undefined} disabled={busy} onClick={() => run()}>
        {busy && <span class="spinner" aria-hidden="true" />} {label}
      </button>
      <ErrorNote error={error} />
    </span>
  );
}
