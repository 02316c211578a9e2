import { loadedLate } from '../../../../parts/loaded-late.tsx';

export const HubTable = loadedLate(async () => (await import('./hub-table.tsx')).HubTable);
