import { memberOf } from '../../../contract-tests/values/json.ts';
/** A pattern that cannot run in linear time here. The message says why, and what is allowed. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Maximum number of states of a pattern: matching takes as many steps as the text has characters, times these. */
const mostStates = 1000;

/** A state. Without a condition it is left at once. */
interface State {
  next: readonly number[];
  /** Left by a character that it accepts. */
  readonly takes?: (character: string) => boolean;
  /** Left if it holds between two characters; undefined: the start or end of the text. */
  readonly holds?: (before: string | undefined, after: string | undefined) => boolean;
}

/** Adds the states of a part of a pattern that continue at `next`. Returns the first of them. */
type Part = (next: number) => number;

const isWord = (character = ' '): boolean => /^\w$/.test(character);

const assertions: Readonly<Record<string, NonNullable<State['holds']>>> = {
  '^': (before) => before === undefined,
  $: (_before, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
};

/** The start of a group, an escape, a class, a quantifier, or a character. */
const tokens =
  /\(\?(?::|<[A-Za-z_$\d]{1,100}>)|\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]{1,8}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]{1,100}\}|.)|\[(?:[^\]\\]|\\.){0,1000}\]|\{\d{1,9}(?:,\d{0,9})?\}\??|[*+?]\??|\(\??|./gsu;

const endless = Number.POSITIVE_INFINITY;
const signs: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, endless],
  '+': [1, endless],
  '?': [0, 1],
};

/** How often a quantifier lets its part occur; undefined if the token is none. */
function boundsOf(token: string): readonly [number, number] | undefined {
  const [, least, comma, most] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(token) ?? [];
  if (least === undefined) return memberOf(signs, token.charAt(0));
  return [Number(least), comma === undefined ? Number(least) : most === '' ? endless : Number(most)];
}

/** A regular expression (flag u) that searches in linear time: it follows all alternatives at once. Throws PatternError, SyntaxError. */
export function linearPattern(source: string): (text: string) => boolean {
  const given = new RegExp(source, 'u').source.match(tokens) ?? [];
  /** The first one is the end. */
  const states: State[] = [{ next: [] }];
  let [at, copies] = [0, 0];

  const spend = (): void => {
    copies += 1;
    if (copies > mostStates) throw new PatternError(`has more than ${mostStates} parts, repetitions included`);
  };
  const add = (state: State): number => {
    spend();
    return states.push(state) - 1;
  };

  function alternatives(): Part {
    const only = sequence();
    if (given[at] !== '|') return only;
    const options = [only];
    for (; given[at] === '|'; options.push(sequence())) at += 1;
    return (next) => add({ next: options.map((option) => option(next)) });
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < given.length && given[at] !== '|' && given[at] !== ')') parts.push(repeated(atom()));
    return (next) => parts.reduceRight((following, part) => part(following), next);
  }

  function atom(): Part {
    const token = given[at] ?? '';
    at += 1;
    if (token === '(?' || /^\\[1-9k]/.test(token))
      throw new PatternError(`has ${token}, and lookaround, modifiers and backreferences take no linear time`);
    if (token.startsWith('(')) {
      const group = alternatives();
      at += 1;
      return group;
    }
    const holds = memberOf(assertions, token);
    if (holds) return (next) => add({ next: [next], holds });
    const one = new RegExp(`^${token}$`, 'u');
    return (next) => add({ next: [next], takes: (character) => one.test(character) });
  }

  function repeated(part: Part): Part {
    const bounds = boundsOf(given[at] ?? '');
    if (!bounds) return part;
    at += 1;
    const [min, max] = bounds;
    return (next) => {
      let first = next;
      if (max === endless) {
        first = add({ next: [] });
        (states[first] as State).next = [part(first), next];
      } else for (let copy = min; copy < max; copy += 1) first = add({ next: [part(first), next] });
      for (let copy = 0; copy < min; copy += 1) {
        spend();
        first = part(first);
      }
      return first;
    };
  }

  const start = alternatives()(0);
  return (text) => {
    const characters = [...text];
    let arrived: readonly number[] = [];
    for (let place = 0; place <= characters.length; place += 1) {
      const [before, after] = [characters[place - 1], characters[place]];
      // A match may begin anywhere. States added on the way are visited, too.
      const reached = new Set([start, ...arrived]);
      const left: number[] = [];
      for (const number of reached) {
        const { next, takes, holds } = states[number] as State;
        if (takes) {
          if (after !== undefined && takes(after)) left.push(...next);
        } else if (!holds || holds(before, after)) for (const to of next) reached.add(to);
      }
      if (reached.has(0)) return true;
      arrived = left;
    }
    return false;
  };
}
