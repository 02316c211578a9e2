import { openPackage, unpacked } from '../../src/proofs/check-package.ts';
import { type CheckedProof, UnreadableError } from '../../src/proofs/proofs-file.ts';
import { type CheckedTimestamp, checkTimestamp } from '../../src/proofs/timestamp.ts';
import { verifyPage as en } from '../../words/en/console.ts';
import { verifyPage as es } from '../../words/es/console.ts';
import { fill } from '../../words/fill.ts';
import { verifyPage as ja } from '../../words/ja/console.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../words/language.ts';
import { checkAll, help } from './check.ts';
import { element, report } from './report.ts';

const TEXTS = { en, ja, es };
let language: Language = LANGUAGES.find((one) => navigator.language.startsWith(one)) ?? 'en';
let found: { opened: ReturnType<typeof openPackage>; checked: CheckedProof[]; stamp: CheckedTimestamp | null } | null =
  null;

// A helper runs this program too, and has no document.
if (typeof document === 'undefined') help(self);
else start(document.currentScript?.textContent ?? '');

function start(script: string): void {
  const result = element('div', '');
  const status = element('p', 'status');
  status.setAttribute('role', 'status');
  const input = element('input', '') as HTMLInputElement;
  Object.assign(input, { type: 'file', multiple: true, accept: '.json,.zip,.pdf,.docx,.csv,.html,.tsr' });
  const check = async (files: readonly File[]) => {
    const texts = TEXTS[language];
    result.replaceChildren();
    found = null;
    try {
      const given = await Promise.all(
        files.map(async (file) => unpacked(file.name, new Uint8Array(await file.arrayBuffer()))),
      );
      const opened = openPackage(given.flat());
      const proofs = opened.proofs?.proofs ?? [];
      const total = String(proofs.length);
      const onProgress = (done: number) => {
        status.textContent = fill(texts.checking, { done: String(done), total });
      };
      const checked = await checkAll(proofs, { script, onProgress });
      const named = opened.manifest?.stamp;
      const stamp = named?.answer ? await checkTimestamp(named.answer, named.stamped) : null;
      found = { opened, checked, stamp };
      status.textContent = '';
      show();
    } catch (error) {
      status.textContent = '';
      const reason = texts.unreadables[error instanceof UnreadableError ? error.reason : 'damaged'];
      result.replaceChildren(element('p', 'verdict bad', fill(texts.unreadable, { reason })));
    }
  };
  const show = () => {
    if (found) result.replaceChildren(...report(TEXTS[language], found));
  };
  const draw = () => {
    const texts = TEXTS[language];
    document.documentElement.lang = language;
    document.title = texts.title;
    const select = element('select', '') as HTMLSelectElement;
    for (const one of LANGUAGES) select.append(new Option(LANGUAGE_NAMES[one], one, false, one === language));
    select.onchange = () => {
      language = select.value as Language;
      draw();
    };
    const choice = element('label', 'drop', element('span', '', texts.choose), input, element('span', '', texts.drop));
    document.body.replaceChildren(
      element('label', 'language', `${texts.language} `, select),
      element('h1', '', texts.title),
      element('p', '', texts.lead),
      choice,
      status,
      result,
      element('h2', '', texts.meaning),
      element('ul', '', ...texts.meanings.map((one) => element('li', '', one))),
    );
    show();
  };
  // A browser does not say that the same file was chosen again, which may have changed.
  input.onclick = () => {
    input.value = '';
  };
  input.onchange = () => check([...(input.files ?? [])]);
  // The whole page takes files: one dropped beside the frame must not replace it.
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) check(files);
  });
  draw();
}
