import type { NamedLabel, PartyRole, PresignWords } from '../en/presign.ts';
import { codes } from './codes.ts';
import { forms } from './forms.ts';

const ROLES: Record<PartyRole, string> = {
  destination: '送付先',
  spender: '承認先',
  token: 'トークン',
  recipient: '受取先',
  owner: '資産の保有者',
  operator: '操作権限の付与先',
  controller: '新しい管理者',
  target: '呼び出されるコントラクト',
};

const FAULTS: Record<Parameters<PresignWords['undecodable']>[0], string> = {
  not_hex: 'コールデータが16進数ではありません',
  no_selector: 'コールデータが短く、呼び出しを特定できません',
  unknown_call: 'コールデータに未知の呼び出しが含まれています',
  too_deep: 'コールデータの呼び出しの入れ子が深すぎます',
  too_many: 'コールデータの呼び出しまたは項目が多すぎます',
  truncated: 'コールデータが引数の途中で終わっています',
  dirty: 'コールデータの引数に、ゼロであるべきビットが含まれています',
  overlong: 'コールデータが引数の後にも続いています',
  no_calldata_chain: 'このチェーンのコールデータは解読できません',
};

export const presign: PresignWords = {
  party: (role, call, address) => `${ROLES[role]}「${address}」${call === null ? '' : `（${call}）`}`,
  sanctioned: (who, label) => `${who}は制裁対象です：${named(label)}。`,
  delisted: (who, day, label) => `${who}はかつて制裁対象でしたが、${dayText(day)}に解除されています：${named(label)}。`,
  malicious: (who, label) => `${who}は悪意のあるコントラクトとして知られています：${named(label)}。`,
  labelled: (who, category, label) => `${who}は「${words(category)}」に分類されています：${named(label)}。`,
  sisterChain: (who, { category, chain }, label) =>
    `${who}と同じ鍵のアドレスが、${CHAINS[chain] ?? chain}で「${words(category)}」に分類されています：${named(label)}。`,
  scanned: (who, { level, score, day }) => {
    const scan = day === null ? '直近のスキャン' : `${dayText(day)}のスキャン`;
    if (level === 'UNKNOWN') return `${who}は、${scan}では情報が不足し、評価できていません。`;
    return `${who}は、${scan}で${level}（スコア${score}）と評価されています。`;
  },
  scannedInPart: (who) =>
    `${who}は、直近のスキャンでLOWと評価されていますが、取引履歴と資金の一部のみに基づく評価です。`,
  exposure: (who, { direction, usd, share, category, isBefore }) => {
    const amount = usd === null ? '価格不明の資産' : `${usd}米ドル相当`;
    const part = share === null ? '' : `（判明している${direction === 'in' ? '受取総額' : '送付総額'}の${share}%）`;
    const party = `「${words(category)}」に分類されたアドレス${isBefore ? '（指定前）' : ''}`;
    return direction === 'in'
      ? `${who}は、${party}から${amount}${part}を受け取っています。`
      : `${who}は、${party}へ${amount}${part}を送付しています。`;
  },
  bait: (who) =>
    `${who}は、以前の送付先に似せて誘導に使われたアドレスです。送付の前に、アドレス全体を確認してください。`,
  lookalike: ({ address, genuine, last, stands, expected }) => {
    const known =
      last === null
        ? '署名者自身のアドレス'
        : `署名者の以前の送付先（最終日：${dayText(last.day)}${last.txHash === null ? '' : `、トランザクション：${last.txHash}`}）`;
    return `「${address}」は、${known}である「${genuine}」に似た別のアドレスです（${expected}であるべき部分が${stands}です）。`;
  },
  longPermit: (call, at, { left, most }) =>
    `${call}（「${at}」）の有効期間は${left === null ? '無期限' : `${left}日`}で、${most}日を超えています。`,
  payableLure: (call, at) => `${call}()（「${at}」）は、対価を示さずに資産を受け取ります。よくある誘導の手口です。`,
  controlChange: (call, at, to) =>
    `${call}（「${at}」）は、コントラクトまたはそのコードの管理権限を「${to}」に与えます。`,
  unknownOwner: (call, owner) =>
    `${call}は「${owner}」の資産を移転します。署名者が指定されていないため、誰の資産かは確認できません。`,
  foreignTransfer: (call, owner, to) =>
    `${call}は、署名者ではない「${owner}」の資産を、情報のないアドレス「${to}」へ移転します。`,
  operatorApproval: (call, at, spender) =>
    `${call}（「${at}」）により、「${spender}」は現在および今後のコレクションの全トークンを移転できます。`,
  unlimitedApproval: (call, at, spender) =>
    `${call}（「${at}」）により、「${spender}」は現在および今後のトークンを無制限に引き出せます。`,
  undecodable: (fault, call) => `${FAULTS[fault]}${call === null ? '' : `（${call}）`}。`,
  unsupportedChain: (chain, isBnb) =>
    `チェーン${chain}には対応していないため、この取引の情報はありません${isBnb ? '（BNB Smart Chainはbscです）' : ''}。`,
  neverScanned: (to) => `スキャンの記録がありません：「${to}」にはラベルがありません。`,
  neverScannedUnpriced: (to) => `スキャンの記録がありません：「${to}」にはラベルがなく、送付額の価格も確認できません。`,
  trusted: (address) => `「${address}」はアカウントのホワイトリストにあるため、制裁以外の情報は除外されています。`,
  storesUnreadable: 'ラベルまたはグラフを読み取れないため、アドレスの確認は不完全です。',
  noLists: 'ラベルのリストが読み込まれていません。',
  noSanctions: '制裁リストが読み込まれていません。',
  listsStale: '制裁リストが更新間隔の2倍より古くなっています。',
};

const CHAINS: Record<string, string> = {
  evm: 'EVM',
  bitcoin_cash: 'Bitcoin Cash',
  bitcoin_sv: 'Bitcoin SV',
  ethereum_classic: 'Ethereum Classic',
};

function named({ name, source, confidence, listedOn }: NamedLabel): string {
  const where = !listedOn ? '' : `、同じ鍵の${listedOn}のアドレスとして掲載`;
  return `${JSON.stringify(name)}（出典：${JSON.stringify(source)}、信頼度：${confidence}${where}）`;
}

function words(category: string): string {
  return (codes as Record<string, string>)[category] ?? category;
}

function dayText(day: string): string {
  return forms.date(day);
}
