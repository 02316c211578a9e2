import type { ExposureWords } from '../en/exposure.ts';

export const exposure: ExposureWords = {
  out_of_time: 'La búsqueda agotó su tiempo antes de hallar algo. Repítala, o con menos saltos.',
  no_transfers: 'El grafo no contiene transferencias de esta dirección.',
  not_scanned: 'Aún no ha analizado esta dirección: solo cuentan las transferencias vistas en otros análisis.',
  hop_limit: 'No se siguieron {usd} USD más allá del salto {hops} (max_hops).',
  relays: 'Los monederos con una sola entrada y una sola salida no cuentan como salto, hasta {steps} pasos por camino.',
  likely: 'Se siguieron {usd} USD por puentes cuyo otro lado es solo probable (likely_matches=follow).',
  open: 'Se siguieron {usd} USD por puentes según declaraciones que cualquiera puede hacer (bridge_open).',
};
