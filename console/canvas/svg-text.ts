import { withoutControls } from '../../src/domain/text/visible.ts';

interface TextForm {
  fill: string;
  size?: number;
  anchor?: 'start' | 'middle' | 'end';
  bold?: boolean;
  halo?: string;
}

/** One line of text; every character of it is escaped. */
export function svgText(
  x: number,
  y: number,
  text: string,
  { fill, size = 12, anchor = 'middle', bold, halo }: TextForm,
): string {
  const around = halo ? ` stroke="${halo}" stroke-width="5" paint-order="stroke" stroke-linejoin="round"` : '';
  return `<text x="${Math.round(x)}" y="${Math.round(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"${around}${bold ? ' font-weight="700"' : ''}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
