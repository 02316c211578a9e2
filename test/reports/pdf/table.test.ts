import { describe, expect, it } from 'vitest';
import { closePdf, openPdf } from '../../../reports/pdf/document.ts';
import { pdfTable } from '../../../reports/pdf/table.ts';
import { missingReader, textOf } from '../pdf-text.ts';

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
    expect(textOf(await closePdf(pdf, info))).toContain(`${address}(宛先タグ7)`);
  });
});
