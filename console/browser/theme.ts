import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'traceflow-theme';
const stored = localStorage.getItem(STORED);

export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system');

/** Keeps the page in the chosen theme; `system` follows the browser. */
export function showTheme(): void {
  effect(() => {
    localStorage.setItem(STORED, theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
}
