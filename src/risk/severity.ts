import { SEVERITIES, type Severity } from './detection.ts';

export function oneLower(severity: Severity): Severity {
  return SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)]!;
}

export function oneHigher(severity: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.length - 1, SEVERITIES.indexOf(severity) + 1)]!;
}

export function atMost(severity: Severity, most: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.indexOf(severity), SEVERITIES.indexOf(most))]!;
}

export function atLeast(severity: Severity, least: Severity): Severity {
  return SEVERITIES[Math.max(SEVERITIES.indexOf(severity), SEVERITIES.indexOf(least))]!;
}
