import { violation } from '../failure.ts';
import { PLACE_OF_NO_FILTERING_TOKEN } from '../session/token-forms.ts';
import { describe, isSuccess } from '../wire/exchange.ts';
import { show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { filteredAnswer, needs, subjectOf } from './key-lists.ts';
import { listedKeys } from './listed-keys.ts';

/** A list with filters is the same protected operation as one without (4.3, 5). */
export const filteredRefusals: Check = {
  id: 'auth-filtered-api-keys',
  requirements: ['AUT-03', 'AUT-04'],
  isThorough: true,
  title: 'a list of API keys with a filter refuses a request without credentials, and a made-up token',
  needs,
  async run(session) {
    const [key] = listedKeys(await session.apiKeys.all());
    const query = { provider: String(key?.provider) };
    // Without a key to filter by, or where the filter is refused to everybody, a refusal shows nothing.
    if (!key || !isSuccess(await filteredAnswer(session, query))) return;
    for (const { what, headers, requirement } of [
      { what: 'no Authorization header', headers: {}, requirement: 'AUT-03' },
      {
        what: `"Bearer ${PLACE_OF_NO_FILTERING_TOKEN}"`,
        headers: { Authorization: `Bearer ${PLACE_OF_NO_FILTERING_TOKEN}` },
        requirement: 'AUT-04',
      },
    ]) {
      const answer = await session.apiKeys.of(session.resource('tenantId'), query, headers);
      if (!isSuccess(answer)) continue;
      throw violation(
        `${subjectOf(query)} accepts ${what}.`,
        'a refusal (4xx)',
        `${describe(answer)}: ${show(answer.response.body)}`,
      )
        .of(requirement)
        .seenIn(answer);
    }
  },
};
