import { jsonOf } from '../wire/answers.ts';
import { type Probe, Undetermined } from './probe.ts';
import { codesIn, refusals } from './refusals.ts';

/** How the members named code are written. */
export const errorCodes: Probe = {
  gap: 'error-codes',
  sends: 'the refusals of error-body',
  writes: false,
  needs: [],
  async observe(session) {
    const codes = [...new Set((await refusals(session)).flatMap(({ answer }) => codesIn(jsonOf(answer))))];
    if (codes.length === 0) throw new Undetermined('refusals carry no code');
    if (codes.every((code) => /^[a-z]+(?:_[a-z]+)*$/.test(code))) return 'snake';
    if (codes.every((code) => /^[A-Z]+(?:_[A-Z]+)*$/.test(code))) return 'upper-snake';
    throw new Undetermined(`the codes are ${codes.join(', ')}`);
  },
};
