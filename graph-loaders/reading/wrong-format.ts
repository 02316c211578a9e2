import { InvalidInputError } from '../../src/errors.ts';

/** The file is not of the source's format; the load adds which format that is. */
export class WrongFormatError extends InvalidInputError {}
