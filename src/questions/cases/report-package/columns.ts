import type { ReportLang } from '../../../risk/detection.ts';

/** What a column holds and in which unit, in the languages of packages; empty fields are unknown. */
interface ColumnSpec extends Record<ReportLang, string> {
  type: 'text' | 'integer' | 'decimal' | 'time';
}

/** The columns of the transactions of a report package, in order. */
// biome-ignore format: a table
const PACKAGE_COLUMNS = {
  row_no: { type: 'integer', en: 'from 1', ja: '1からの連番', es: 'desde 1' },
  case_id: { type: 'text', en: 'the case', ja: '案件', es: 'el caso' },
  report_id: { type: 'text', en: 'the generation id of the report package', ja: '届出資料パッケージの生成ID', es: 'el identificador de generación del paquete' },
  subject_address: { type: 'text', en: 'the address of the case that the row is about; the first one of the case', ja: '行の対象である案件のアドレス。複数ある場合は案件で先に登録されたもの', es: 'la dirección del caso a la que se refiere la fila; la primera del caso si hay varias' },
  chain_id: { type: 'text', en: 'CAIP-2', ja: 'CAIP-2', es: 'CAIP-2' },
  chain_name: { type: 'text', en: 'the chain', ja: 'チェーン', es: 'la cadena' },
  tx_hash: { type: 'text', en: 'the transaction', ja: '取引', es: 'la transacción' },
  transfer_index: { type: 'text', en: 'place in the transaction: `native`, `log:12`, `trace:0_1`, `out:3`', ja: '取引内の位置：`native`、`log:12`、`trace:0_1`、`out:3`', es: 'lugar en la transacción: `native`, `log:12`, `trace:0_1`, `out:3`' },
  block_number: { type: 'integer', en: 'number, slot or ledger of the block', ja: 'ブロック、スロットまたはレジャーの番号', es: 'número del bloque, slot o ledger' },
  block_hash: { type: 'text', en: 'the block that was read', ja: '参照したブロック', es: 'el bloque que se leyó' },
  block_time_utc: { type: 'time', en: 'ISO 8601, UTC', ja: 'ISO 8601、UTC', es: 'ISO 8601, UTC' },
  block_time_jst: { type: 'time', en: 'ISO 8601, +09:00', ja: 'ISO 8601、+09:00', es: 'ISO 8601, +09:00' },
  tx_status: { type: 'text', en: '`success`: failed transactions move nothing and are not listed', ja: '`success`：失敗した取引は資産を移転しないため記載しない', es: '`success`: las transacciones fallidas no mueven nada y no se listan' },
  direction: { type: 'text', en: '`in`, `out` or `self`, as the subject address sees it', ja: '対象アドレスから見た`in`（受取）、`out`（送付）、`self`（自己宛て）', es: '`in` (recibido), `out` (enviado) o `self` (a sí misma), desde la dirección del caso' },
  from_address: { type: 'text', en: 'sender', ja: '送付元', es: 'remitente' },
  to_address: { type: 'text', en: 'receiver', ja: '送付先', es: 'destinatario' },
  tx_sender: { type: 'text', en: 'signer of the transaction', ja: '取引の署名者', es: 'firmante de la transacción' },
  counterparty_address: { type: 'text', en: 'the other side', ja: '相手方', es: 'la otra parte' },
  counterparty_category: { type: 'text', en: 'category of the best label of the other side', ja: '相手方の最も確かなラベルの分類', es: 'categoría de la mejor etiqueta de la otra parte' },
  counterparty_name: { type: 'text', en: 'owner, else the label', ja: '保有者。不明な場合はラベル', es: 'titular o, si no se conoce, la etiqueta' },
  label_source: { type: 'text', en: 'the list that states it, and its day', ja: 'ラベルを記載しているリストとその日付', es: 'la lista que lo indica y su fecha' },
  label_confidence: { type: 'decimal', en: '0 to 1', ja: '0から1', es: 'de 0 a 1' },
  asset_symbol: { type: 'text', en: 'as on the chain', ja: 'チェーン上の表記', es: 'como figura en la cadena' },
  asset_type: { type: 'text', en: '`native`, `erc20`, `erc721`, `erc1155` or `other`', ja: '`native`、`erc20`、`erc721`、`erc1155`または`other`', es: '`native`, `erc20`, `erc721`, `erc1155` u `other`' },
  token_contract: { type: 'text', en: 'contract, mint or issuer; empty for the coin of the chain', ja: 'コントラクト、ミントまたは発行者。チェーンのコインの場合は空欄', es: 'contrato, mint o emisor; vacío para la moneda de la cadena' },
  token_id: { type: 'text', en: 'of an NFT', ja: 'NFTのID', es: 'de un NFT' },
  token_decimals: { type: 'integer', en: 'decimals of the asset', ja: '資産の小数点以下の桁数', es: 'decimales del activo' },
  amount_raw: { type: 'text', en: 'smallest units', ja: '最小単位の数量', es: 'unidades mínimas' },
  amount: { type: 'decimal', en: 'units of the asset', ja: '資産の単位での数量', es: 'unidades del activo' },
  price_usd: { type: 'decimal', en: 'US dollars a unit, from value_usd and amount', ja: '1単位当たりの米ドル。value_usdとamountから算出', es: 'dólares estadounidenses por unidad, a partir de value_usd y amount' },
  value_usd: { type: 'decimal', en: 'US dollars at the time of the transfer', ja: '移転時点の米ドル相当額', es: 'dólares estadounidenses en el momento de la transferencia' },
  usd_jpy_rate: { type: 'decimal', en: 'yen a US dollar on that day', ja: '当日の1米ドル当たりの円', es: 'yenes por dólar estadounidense ese día' },
  value_jpy: { type: 'integer', en: 'yen, rounded half up', ja: '円。端数は四捨五入', es: 'yenes, redondeados al entero más próximo' },
  price_source: { type: 'text', en: '`recorded`: the value kept with the transfer when it was read; `unpriced`', ja: '`recorded`：読み取り時に移転とともに保存した額。`unpriced`：価格不明', es: '`recorded`: el valor guardado con la transferencia al leerla; `unpriced`: sin precio' },
  fee_native: { type: 'decimal', en: 'coin of the chain; on the first row of the transaction only', ja: 'チェーンのコイン。取引の最初の行だけに記載', es: 'moneda de la cadena; solo en la primera fila de la transacción' },
  method: { type: 'text', en: 'four-byte selector or name', ja: '4バイトのセレクターまたは名称', es: 'selector de cuatro bytes o nombre' },
  exposure_tier: { type: 'text', en: '`direct`: with a party labelled as illicit; `indirect`: money of one was traced through it; `none`: neither was found', ja: '`direct`：不正に分類された相手方との移転。`indirect`：不正な相手方の資金がこの移転を経由して追跡された。`none`：いずれも見つからない', es: '`direct`: con una parte etiquetada como ilícita; `indirect`: por ella pasó dinero rastreado de una de ellas; `none`: no se halló ninguna' },
  hop_distance: { type: 'integer', en: 'transfers to that party on the evidence path; empty where the path is not shown', ja: '証拠の経路上でその相手方までの移転の回数。経路を示さない場合は空欄', es: 'transferencias hasta esa parte en la ruta de evidencia; vacío si la ruta no se muestra' },
  tainted_value_usd: { type: 'decimal', en: 'of direct ones the value, of indirect ones the part that was traced to illicit parties by haircut', ja: '直接の場合はその額、間接の場合はヘアカットにより不正な相手方まで追跡した部分', es: 'el valor de las directas; de las indirectas, la parte rastreada hasta partes ilícitas por haircut' },
  detector_ids: { type: 'text', en: 'detections whose evidence names the transfer, separated by `;`', ja: 'この移転を証拠とする検知。`;`区切り', es: 'detecciones cuya evidencia nombra la transferencia, separadas por `;`' },
  severity: { type: 'text', en: 'the highest of these detections', ja: 'これらの検知のうち最も高い重大度', es: 'la mayor gravedad de esas detecciones' },
  reason_ja: { type: 'text', en: 'a sentence of each of these detections and of each crossing of a bridge that an analyst confirmed, in Japanese', ja: 'これらの検知と、担当者が確認したブリッジによる移転の説明。それぞれ日本語の1文', es: 'una frase en japonés por cada una de esas detecciones y por cada cruce de un puente que confirmó un analista' },
  evidence_sha256: { type: 'text', en: 'SHA-256 of the JSON of the transfer and of the label of the other side, fields sorted by name', ja: '移転と相手方のラベルを、フィールド名の順に並べたJSONのSHA-256', es: 'SHA-256 del JSON de la transferencia y de la etiqueta de la otra parte, con los campos ordenados por nombre' },
} as const satisfies Record<string, ColumnSpec>;

export type PackageColumn = keyof typeof PACKAGE_COLUMNS;
export const PACKAGE_COLUMN_NAMES = Object.keys(PACKAGE_COLUMNS) as PackageColumn[];

/** Columns that hold numbers or times of ours: nothing in them can be a formula. */
export const SAFE_COLUMNS: ReadonlySet<PackageColumn> = new Set(
  PACKAGE_COLUMN_NAMES.filter((name) => PACKAGE_COLUMNS[name].type !== 'text'),
);

/** The content of columns.json, in the language of the package. */
export function columnsJson(language: ReportLang): string {
  const columns = PACKAGE_COLUMN_NAMES.map((name, index) => {
    const { type, [language]: about } = PACKAGE_COLUMNS[name];
    return { number: index + 1, name, type, about };
  });
  return `${JSON.stringify({ columns }, null, 2)}\n`;
}
