import type { ExposureWords } from '../en/exposure.ts';

export const exposure: ExposureWords = {
  out_of_time: '検索が制限時間内に終わりませんでした。再度実行するか、ホップ数を減らしてください。',
  no_transfers: 'グラフにこのアドレスの移転はありません。',
  not_scanned: 'このアドレスはまだスキャンされていません。他のスキャンで確認された移転のみが集計されています。',
  hop_limit: '{usd}米ドル分の資金は、{hops}ホップより先を追跡していません（max_hops）。',
  relays: '送付元と送付先がそれぞれ一つだけのウォレットはホップに数えません（1経路あたり最大{steps}段階）。',
  likely: '{usd}米ドル分の資金は、相手側が可能性にとどまるブリッジを経由して追跡しています（likely_matches=follow）。',
  open: '{usd}米ドル分の資金は、誰でも記録できる申告に基づき、ブリッジを経由して追跡しています（bridge_open）。',
};
