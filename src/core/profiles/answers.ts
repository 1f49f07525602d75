import { defaultAnswers, type GapAnswers, type GapId } from '../spec/gaps.ts';

/** Base URL and date-time of the `learn` run that observed a profile. */
export interface Learned {
  readonly from?: string;
  readonly at?: string;
}

/** The source of an answer in force: the default profile, or the named profile, which may have been learned. */
export type Origin = 'default' | { readonly profile: string; readonly learned?: Learned };

/** The answers in force: one per gap. Immutable, so that compiled validators can be cached. */
export class Answers {
  /** Cache key: equal answers have equal keys. */
  readonly key: string;
  private readonly defaults: ReadonlySet<GapId>;

  private constructor(
    readonly all: GapAnswers,
    /** Name of the profile that holds the answers. */
    readonly profile: string,
    /** Of the answers that are not the default profile's. */
    private readonly origins: ReadonlyMap<GapId, Origin>,
    private readonly assumed: Partial<GapAnswers>,
  ) {
    this.key = JSON.stringify(all);
    const usual = { ...defaultAnswers(), ...assumed };
    const ids = Object.keys(all) as GapId[];
    this.defaults = new Set(ids.filter((id) => JSON.stringify(all[id]) === JSON.stringify(usual[id])));
  }

  /** The default answers, or those of `assumed`, overridden by `given`. */
  static of(
    given: Partial<GapAnswers> = {},
    profile = 'default',
    learned?: Learned,
    assumed: Partial<GapAnswers> = {},
  ): Answers {
    const origin = profile === 'default' ? 'default' : { profile, ...(learned && { learned }) };
    const origins = new Map((Object.keys(given) as GapId[]).map((id) => [id, origin] as const));
    return new Answers({ ...defaultAnswers(), ...assumed, ...given }, profile, origins, assumed);
  }

  get<Id extends GapId>(gap: Id): GapAnswers[Id] {
    return this.all[gap];
  }

  /** Whether the answer is the default profile's. */
  isDefault(gap: GapId): boolean {
    return this.defaults.has(gap);
  }

  /** A copy of `before` with changed answers to the gaps `changed`; the origin of the others stays. */
  changedFrom(before: Answers, changed: readonly string[]): Answers {
    const own = [...this.origins].filter(([id]) => changed.includes(id));
    const kept = [...before.origins].filter(([id]) => !changed.includes(id));
    return new Answers(this.all, this.profile, new Map([...kept, ...own]), this.assumed);
  }

  originOf(gap: GapId): Origin {
    return this.origins.get(gap) ?? 'default';
  }

  differences(): Partial<GapAnswers> {
    const ids = Object.keys(this.all) as GapId[];
    return Object.fromEntries(ids.filter((id) => !this.isDefault(id)).map((id) => [id, this.all[id]]));
  }
}
