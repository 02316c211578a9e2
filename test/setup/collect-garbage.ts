import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');

/** Frees at once what nothing holds any more. */
export const collectGarbage = vm.runInNewContext('gc') as () => void;
