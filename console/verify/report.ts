import { formatUnits } from '../../src/domain/amount.ts';
import { chainName, isChain, NATIVE_COIN } from '../../src/domain/chain.ts';
import type { openPackage } from '../../src/proofs/check-package.ts';
import type { ProvenTransfer } from '../../src/proofs/proof.ts';
import type { CheckedProof } from '../../src/proofs/proofs-file.ts';
import type { CheckedTimestamp } from '../../src/proofs/timestamp.ts';
import type { verifyPage } from '../../words/en/console.ts';
import { fill } from '../../words/fill.ts';

type Texts = typeof verifyPage;
type OpenedPackage = ReturnType<typeof openPackage>;
type Child = Node | string;

/** Makes an element. All text is set as text: nothing of a file becomes markup. */
export function element(name: string, className: string, ...children: Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Lays out what the check of the given files found. */
export function report(
  texts: Texts,
  {
    opened,
    checked,
    stamp,
  }: { opened: OpenedPackage; checked: readonly CheckedProof[]; stamp: CheckedTimestamp | null },
): Node[] {
  const { manifest, proofs, uncompared } = opened;
  const failed = checked.filter(({ fault }) => fault !== null);
  const isChanged = proofs?.intact === false;
  const namesOf = (wanted: string) =>
    manifest?.files.filter(({ state }) => state === wanted).map(({ name }) => name) ?? [];
  const [changed, others] = [namesOf('changed'), namesOf('not_listed')];
  const count = String(checked.length);
  const isWhole = !isChanged && changed.length + others.length + uncompared.length === 0 && !stamp?.fault;
  const verdict =
    checked.length === 0
      ? isWhole && manifest
        ? texts.filesHold
        : texts.noneGiven
      : failed.length === 0
        ? fill(texts.allHold, { count })
        : fill(texts.someFail, { count, failed: String(failed.length) });
  const isGood = isWhole && failed.length === 0 && (checked.length > 0 || manifest !== null);
  // What is wrong is said first; proofs that hold say nothing of a file beside them.
  const wrong = [
    ...(changed.length > 0 ? [fill(texts.filesChanged, { files: changed.join(', ') })] : []),
    ...(others.length > 0 ? [fill(texts.filesNotListed, { files: others.join(', ') })] : []),
    ...(uncompared.length > 0 ? [fill(texts.filesUncompared, { files: uncompared.join(', ') })] : []),
    ...(stamp?.fault ? [stampFails(texts, stamp.fault)] : []),
  ];
  const isSecond = wrong.length > 0 && failed.length === 0;
  return [
    ...wrong.map((text) => element('p', 'verdict bad', text)),
    element('p', isSecond ? '' : `verdict ${isGood ? 'good' : 'bad'}`, verdict),
    ...(isChanged ? [element('p', 'verdict bad', texts.changed)] : []),
    ...(manifest ? [...stampOf(texts, manifest, stamp), ...filesOf(texts, manifest)] : []),
    ...blocksOf(texts, checked),
    ...transactionsOf(texts, checked),
    ...unprovedOf(texts, proofs?.notProvable ?? []),
  ];
}

function stampFails(texts: Texts, fault: NonNullable<CheckedTimestamp['fault']>): string {
  return fill(texts.stampFails, { reason: texts.stampFaults[fault] });
}

function stampOf(
  texts: Texts,
  { stamp: { isNamed, answer } }: NonNullable<OpenedPackage['manifest']>,
  found: CheckedTimestamp | null,
): Node[] {
  const heading = element('h2', '', texts.stamp);
  if (!answer || !found) return [heading, element('p', '', isNamed ? texts.stampNotGiven : texts.stampNone)];
  const { fault, at, authority, certificate } = found;
  if (fault) {
    return [heading, element('p', '', stampFails(texts, fault))];
  }
  return [
    heading,
    element('p', '', '✓ ', fill(texts.stampHolds, { at, authority })),
    element('p', '', `${texts.stampCertificate}: `, element('code', '', certificate)),
    element('p', 'note', texts.stampNote),
  ];
}

function filesOf(texts: Texts, { digest, files }: NonNullable<OpenedPackage['manifest']>): Node[] {
  return [
    element('h2', '', texts.files),
    element('p', 'note', texts.filesNote),
    element('p', '', 'manifest.json SHA-256: ', element('code', '', digest)),
    element(
      'ul',
      'files',
      ...files.map(({ name, state }) => element('li', state, `${name}: `, element('b', '', texts.fileStates[state]))),
    ),
  ];
}

function blocksOf(texts: Texts, checked: readonly CheckedProof[]): Node[] {
  const blocks = new Map<string, { proof: CheckedProof; count: number }>();
  for (const proof of checked.filter(({ fault }) => fault === null)) {
    const key = `${proof.chain} ${proof.block_hash}`;
    const { count } = blocks.get(key) ?? { count: 0 };
    blocks.set(key, { proof, count: count + 1 });
  }
  if (blocks.size === 0) return [];
  const rows = [...blocks.values()].map(({ proof: { chain, height, block_hash }, count }) =>
    row([
      [texts.chain, chainName(chain)],
      [texts.height, String(height)],
      [texts.blockHash, element('code', '', block_hash)],
      [texts.count, String(count)],
    ]),
  );
  return [element('h2', '', texts.blocks), element('p', 'note', texts.blocksNote), element('ul', 'rows', ...rows)];
}

function transactionsOf(texts: Texts, checked: readonly CheckedProof[]): Node[] {
  if (checked.length === 0) return [];
  const rows = checked.map((proof) => {
    const { chain, tx_hash, block_hash, height, fault, proves, not_proved } = proof;
    const head = element(
      'p',
      'head',
      element('b', '', fault ? `✗ ${texts.fails}` : `✓ ${texts.holds}`),
      ` ${chainName(chain)} `,
      element('code', '', tx_hash),
    );
    if (fault) return element('li', 'red', head, element('p', '', texts.faults[fault]));
    const shown = proves.map((one) => element('li', '', transferText(texts, chain, one)));
    return element(
      'li',
      'green',
      head,
      ...row([
        [texts.block, element('span', '', `${height} `, element('code', '', block_hash))],
        [texts.shows, shown.length > 0 ? element('ul', '', ...shown) : texts.showsNone],
        [texts.leavesOpen, not_proved.map((one) => texts.open[one]).join('; ')],
      ]).childNodes,
    );
  });
  return [element('h2', '', texts.transactions), element('ul', 'rows', ...rows)];
}

function transferText(texts: Texts, chain: string, { from, to, amount_raw, token }: ProvenTransfer): string {
  const amount = amountText(texts, chain, { amount_raw, token });
  return from === null ? fill(texts.transferTo, { amount, to }) : fill(texts.transfer, { amount, from, to });
}

function amountText(texts: Texts, chain: string, { amount_raw, token }: { amount_raw: string; token: string | null }) {
  if (token !== null) return fill(texts.units, { amount: amount_raw, token });
  if (!isChain(chain)) return amount_raw;
  const { decimals, symbol } = NATIVE_COIN[chain];
  return `${formatUnits(BigInt(amount_raw), decimals)} ${symbol}`;
}

function unprovedOf(texts: Texts, unproved: NonNullable<OpenedPackage['proofs']>['notProvable']): Node[] {
  if (unproved.length === 0) return [];
  const rows = unproved.map(({ chain, tx_hash, reason }) =>
    element('li', '', `${chainName(chain)} `, element('code', '', tx_hash), `: ${texts.reasons[reason]}`),
  );
  return [element('h2', '', texts.unproved), element('p', 'note', texts.unprovedNote), element('ul', 'rows', ...rows)];
}

function row(fields: readonly [string, Child][]): HTMLElement {
  return element(
    'li',
    '',
    ...fields.map(([name, value]) => element('p', 'field', element('span', 'name', name), value)),
  );
}
