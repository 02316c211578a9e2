import type { BridgeMatchesWords } from '../../en/console/bridge-matches.ts';

export const bridgeMatches: BridgeMatchesWords = {
  decide: 'Decidir sobre la llegada probable',
  change: 'Cambiar la decisión',
  arrival: 'Llegada probable',
  reason: 'Motivo (obligatorio)',
  confirmed: 'Confirmar',
  rejected: 'Rechazar',
  withdrawn: 'Retirar',
  done: {
    confirmed: 'Confirmada: sus próximas respuestas siguen el dinero hasta allí.',
    rejected: 'Rechazada: sus próximas respuestas terminan en el puente.',
    withdrawn: 'Retirada: sus próximas respuestas la muestran como probable.',
  },
};
