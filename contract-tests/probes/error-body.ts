import { agreeing, type Probe, Undetermined } from './probe.ts';
import { refusals, shapeOf } from './refusals.ts';

/** Three kinds of refusals have to agree. */
export const errorBody: Probe = {
  gap: 'error-body',
  sends: 'GET of an unknown path, SSO with claims of the wrong type, GET of API keys without credentials',
  writes: false,
  needs: [],
  async observe(session) {
    const shapes = (await refusals(session)).map(({ what, answer }) => ({ what, shape: shapeOf(answer) }));
    const name = agreeing(
      shapes.map(({ what, shape }) => ({ what, value: shape.name })),
      'nothing was refused',
    );
    if (shapes.every(({ shape }) => shape.known)) return name;
    throw new Undetermined(`refusals have ${name}`);
  },
};
