import type { GapAnswers, GapId } from '../spec/gaps.ts';
import { defaultAnswers } from '../spec/gaps.ts';

/** Where (base URL) and when (date-time) `learn` observed what a profile says. */
export interface Learned {
  readonly from?: string;
  readonly at?: string;
}

/** Where an answer in force comes from: the default profile, or the profile named, which may have been learned. */
export type Origin = 'default' | { readonly profile: string; readonly learned?: Learned };

/** The answers in force: one to every gap. Immutable, so that what is compiled for it can be kept. */
export class Answers {
  /** Equal answers have equal keys: what depends on nothing else is cached under it. */
  readonly key: string;
  private readonly defaults: ReadonlySet<GapId>;

  private constructor(
    readonly all: GapAnswers,
    /** Name of the profile that the answers came with. */
    readonly profile: string,
    private readonly given: ReadonlySet<GapId>,
    private readonly learned: Learned | undefined,
  ) {
    this.key = JSON.stringify(all);
    const usual = defaultAnswers();
    const ids = Object.keys(all) as GapId[];
    this.defaults = new Set(ids.filter((id) => JSON.stringify(all[id]) === JSON.stringify(usual[id])));
  }

  /** The default answers, with `given` in their place where there are some. */
  static of(given: Partial<GapAnswers> = {}, profile = 'default', learned?: Learned): Answers {
    return new Answers({ ...defaultAnswers(), ...given }, profile, new Set(Object.keys(given) as GapId[]), learned);
  }

  /** The answer in force to one gap. */
  get<Id extends GapId>(gap: Id): GapAnswers[Id] {
    return this.all[gap];
  }

  /** True where the answer is the default profile's. */
  isDefault(gap: GapId): boolean {
    return this.defaults.has(gap);
  }

  originOf(gap: GapId): Origin {
    if (!this.given.has(gap) || this.profile === 'default') return 'default';
    return { profile: this.profile, ...(this.learned && { learned: this.learned }) };
  }

  /** The answers that differ from the default profile's. */
  differences(): Partial<GapAnswers> {
    const ids = Object.keys(this.all) as GapId[];
    return Object.fromEntries(ids.filter((id) => !this.isDefault(id)).map((id) => [id, this.all[id]]));
  }
}
