/** How far addresses lie from the subjects: the fewest steps over the transfers that were seen so far. */
export class Distances {
  private readonly known: Map<string, number>;
  private readonly onward = new Map<string, Set<string>>();

  constructor(subjects: Iterable<string>) {
    this.known = new Map(Array.from(subjects, (subject) => [subject, 0]));
  }

  of(address: string): number {
    return this.known.get(address) ?? Number.POSITIVE_INFINITY;
  }

  /** Adds a transfer; what lies behind it may come nearer. */
  add(near: string, far: string): void {
    const steps = this.onward.get(near);
    if (steps?.has(far)) return;
    if (steps) steps.add(far);
    else this.onward.set(near, new Set([far]));
    const nearer = [[near, far] as const];
    for (const [from, to] of nearer) {
      const distance = this.of(from) + 1;
      if (distance >= this.of(to)) continue;
      this.known.set(to, distance);
      for (const next of this.onward.get(to) ?? []) nearer.push([to, next]);
    }
  }
}
