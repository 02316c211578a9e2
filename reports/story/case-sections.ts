import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { crossingsSection } from '../sections/crossings.ts';
import type { Room } from '../sections/room.ts';
import type { Section } from '../sections/section.ts';
import { addressParts } from './address-parts.ts';
import { asksSection } from './asks-section.ts';
import { findingsSection } from './findings-section.ts';
import type { Parties } from './parties.ts';
import { timelineSection } from './timeline-section.ts';

/** Crossings of bridges that are described with both sides. */
const CROSSINGS_MAX = 20;

/** The parts of a case behind page 1 and before what can be looked up. */
export function caseSections(section: Section, input: CaseReportInput, parties: Parties, room: Room): void {
  timelineSection(section, input, parties);
  const crossings = (input.money?.sent.flows ?? []).flatMap(({ bridge }) => bridge ?? []);
  crossingsSection(section, crossings.slice(0, CROSSINGS_MAX), parties.nameOf);
  findingsSection(section, input, parties, room);
  asksSection(section, input);
  addressParts(section, input, parties, room);
}
