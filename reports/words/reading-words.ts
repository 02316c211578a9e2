import type { ReportLanguage } from './words.ts';

/** Why a history was not read in full, by the reason in the coverage of its scan. */
// biome-ignore format: a table
const REASONS: Record<string, Record<ReportLanguage, string>> = {
  conflict: { en: 'an earlier source states other facts', ja: '以前の情報源と内容が一致しない', es: 'una fuente anterior indica otros datos' },
  explorer_indexing: { en: 'the explorer had not indexed the newest blocks', ja: 'エクスプローラーが最新のブロックを処理中', es: 'el explorador no había indexado los últimos bloques' },
  failed_not_listed: { en: 'failed transactions are not listed', ja: '失敗した取引は一覧にない', es: 'no se listan las transacciones fallidas' },
  history_shorter_than_count: { en: 'fewer transactions than the source counts', ja: '情報源の件数より少ない取引', es: 'menos transacciones de las que cuenta la fuente' },
  impossible_token_amounts: { en: 'impossible token amounts were left out', ja: 'あり得ない数量のトークン移転を除外', es: 'se omitieron importes imposibles de tokens' },
  indirect_time_budget: { en: 'the search for indirect exposure ran out of time', ja: '間接的なつながりの検索が時間の上限に到達', es: 'la búsqueda de exposición indirecta agotó su tiempo' },
  input_without_address: { en: 'inputs without an address', ja: 'アドレスのない入力がある', es: 'entradas sin dirección' },
  internal_not_listed: { en: 'internal transfers are not listed', ja: '内部移転は一覧にない', es: 'no se listan las transferencias internas' },
  many_party_transaction: { en: 'a transaction of too many parties', ja: '当事者が多すぎる取引がある', es: 'una transacción de demasiadas partes' },
  native_not_listed: { en: 'transfers of the coin are not listed', ja: 'コインの移転は一覧にない', es: 'no se listan las transferencias de la moneda' },
  nft_not_listed: { en: 'NFT transfers are not listed', ja: 'NFTの移転は一覧にない', es: 'no se listan las transferencias de NFT' },
  no_source_configured: { en: 'no data source is configured for the chain', ja: 'チェーンのデータソースが設定されていない', es: 'no hay fuente de datos configurada para la cadena' },
  owner_of_token_account: { en: 'the owner of the token account was read', ja: 'トークンアカウントの所有者を読み取り', es: 'se leyó al dueño de la cuenta de tokens' },
  page_limit: { en: 'only the newest transactions up to the limit', ja: '上限までの新しい取引だけを読み取り', es: 'solo las transacciones más recientes hasta el límite' },
  pruned_history: { en: 'the source no longer keeps older transactions', ja: '情報源に古い取引が残っていない', es: 'la fuente ya no conserva transacciones antiguas' },
  spendings_only: { en: 'only spendings were read', ja: '支出だけを読み取り', es: 'solo se leyeron los gastos' },
  token_account_limit: { en: 'the limit of token accounts was reached', ja: 'トークンアカウント数の上限に到達', es: 'se alcanzó el límite de cuentas de tokens' },
  tokens_not_listed: { en: 'token transfers are not listed', ja: 'トークンの移転は一覧にない', es: 'no se listan las transferencias de tokens' },
  transaction_limit: { en: 'the limit of transactions was reached', ja: '取引件数の上限に到達', es: 'se alcanzó el límite de transacciones' },
  transfer_limit: { en: 'the limit of transfers was reached', ja: '移転件数の上限に到達', es: 'se alcanzó el límite de transferencias' },
  truncated_server_history: { en: 'the server does not hold the whole history', ja: 'サーバーが全履歴を保持していない', es: 'el servidor no tiene todo el historial' },
  unconfirmed_left_out: { en: 'unconfirmed transactions were left out', ja: '未承認の取引を除外', es: 'se omitieron transacciones sin confirmar' },
  unmatched_balance_change: { en: 'a balance changed without a known transfer', ja: '既知の移転で説明できない残高の増減', es: 'un saldo cambió sin transferencia conocida' },
  unnamed_tokens: { en: 'transfers of tokens without a name', ja: '名称不明のトークンの移転がある', es: 'transferencias de tokens sin nombre' },
};

/** The reason in words; its code where it has none. */
export function describeReading(reason: string, language: ReportLanguage): string {
  return REASONS[reason]?.[language] ?? reason;
}
