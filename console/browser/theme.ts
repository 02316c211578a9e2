import { computed, effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
type ShownTheme = Exclude<Theme, 'system'>;

const STORED = 'traceflow-theme';
const stored = localStorage.getItem(STORED);

export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system');

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<ShownTheme>(darkSystem.matches ? 'dark' : 'light');
darkSystem.addEventListener('change', ({ matches }) => {
  systemTheme.value = matches ? 'dark' : 'light';
});

/** The chosen theme; `system` follows the browser. */
export const shownTheme = computed<ShownTheme>(() => (theme.value === 'system' ? systemTheme.value : theme.value));

/** Keeps the choice, and the page in the theme. */
export function showTheme(): void {
  effect(() => {
    localStorage.setItem(STORED, theme.value);
    document.documentElement.dataset.theme = shownTheme.value;
  });
}
