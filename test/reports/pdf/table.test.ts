import { describe, expect, it } from 'vitest';
import { closePdf, openPdf } from '../../../reports/pdf/document.ts';
import { pdfTable } from '../../../reports/pdf/table.ts';
import { heightsOf, missingReader, rawTextOf, textOf } from '../pdf-text.ts';

describe.skipIf(missingReader)(`a table${missingReader ? ` (skipped: ${missingReader})` : ''}`, () => {
  it('shows the words beside an address in every language, the address whole on one line', async () => {
    const info = { title: 'x', language: 'ja', madeAt: 0, footer: '' } as const;
    const address = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
    const pdf = openPdf(info);
    pdfTable(
      pdf,
      [
        { title: 'アドレス', width: 0.3, mono: true },
        { title: '', width: 0.7 },
      ],
      [[`${address} (宛先タグ7)`, '']],
    );
    const file = await closePdf(pdf, info);
    expect(textOf(file)).toContain(`${address}(宛先タグ7)`);
    // A line of 7.5 points is 10.9 high.
    expect(Math.min(...heightsOf(file))).toBeGreaterThan(10);
  });

  it('gives a hash on two lines as one to search and copying', async () => {
    const info = { title: 'Hashes', language: 'en', madeAt: 0, footer: '{page}' } as const;
    const pdf = openPdf(info);
    const hashes = [`0x${'ab12'.repeat(16)}`, `0x${'cd34'.repeat(16)}`];
    const columns = [
      { title: 'Amount', width: 0.6 },
      { title: 'Transaction', width: 0.4, mono: true },
    ];
    pdfTable(pdf, columns, [
      ['1', { text: hashes[0]!, link: 'https://explorer.example/tx' }],
      ['2', hashes.join('\n')],
    ]);
    const text = rawTextOf(await closePdf(pdf, info));
    expect(text.split(hashes[0]!)).toHaveLength(3);
    expect(text.split(hashes[1]!)).toHaveLength(2);
  });

  it('ends the line of a Latin name before the wide brackets behind it, not within a word', async () => {
    const info = { title: 'x', language: 'ja', madeAt: 0, footer: '' } as const;
    const pdf = openPdf(info);
    const columns = [
      { title: '', width: 0.15 },
      { title: '', width: 0.85 },
    ];
    pdfTable(pdf, columns, [['Northgate Exchange（demo）', '']]);
    expect(rawTextOf(await closePdf(pdf, info))).toContain('Exchange');
  });
});
