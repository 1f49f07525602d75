/** Access tokens that do not live as long as expires_in says. */
import { callerOf } from '../authenticate.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

const EARLY_MS = 1500;
const USES = 8;

export const tokenLifeDefects = [
  defect(
    'token-dies-early',
    'timed',
    says.EXPIRES_IN,
    'An access token is refused 1.5 s after it was issued, long before expires_in',
    {
      caller: (caller) => (caller?.via === 'jwt' && Date.now() - caller.issuedAt > EARLY_MS ? undefined : caller),
    },
  ),
  defect(
    'token-dies-idle',
    'timed',
    says.EXPIRES_IN,
    'An access token that was used once and then not for 1.5 s is refused from then on',
    {
      caller(caller, { world }) {
        if (caller?.via !== 'jwt') return caller;
        const seen = world.memory.get<number>(`seen:${caller.tokenId}`);
        if (seen !== undefined && Date.now() - seen > EARLY_MS) return undefined;
        world.memory.set(`seen:${caller.tokenId}`, Date.now());
        return caller;
      },
    },
  ),
  defect('token-dies-of-use', 'stateful', says.EXPIRES_IN, 'An access token is refused from its ninth use on', {
    caller: (caller, { world }) =>
      caller?.via === 'jwt' && world.memory.count(`uses:${caller.tokenId}`) > USES ? undefined : caller,
  }),
  defect(
    'second-sign-in-revokes-first',
    'stateful',
    says.EXPIRES_IN,
    'A new sign-in of a user silently revokes the access token of the earlier one',
    {
      claims(claims, { world }) {
        world.memory.set(`latest:${claims.sub}`, claims.jti);
        return claims;
      },
      caller: (caller, { world }) =>
        caller?.via === 'jwt' && world.memory.get(`latest:${caller.user.id}`) !== caller.tokenId ? undefined : caller,
    },
  ),
  defect(
    'third-sign-in-revokes-first',
    'stateful',
    says.EXPIRES_IN,
    'Only the two youngest access tokens of a user are honoured',
    {
      claims(claims, { world }) {
        world.memory.keep<string[]>(`all:${claims.sub}`, () => []).unshift(claims.jti);
        return claims;
      },
      caller(caller, { world }) {
        const young = world.memory.get<string[]>(`all:${caller?.user.id}`)?.slice(0, 2);
        return caller?.via === 'jwt' && !young?.includes(caller.tokenId) ? undefined : caller;
      },
    },
  ),
  defect(
    'expired-token-accepted-at-update',
    'timed',
    says.EXPIRES_IN,
    'Tokens live 2 s here as announced, but the update operation accepts them for ever',
    {
      caller(caller, { world, operation, credential }) {
        if (caller || operation !== 'updateRecording' || !credential) return caller;
        return callerOf(world.signer.verify(credential, { ignoreExpiration: true }), world);
      },
    },
    { tokenSeconds: 2 },
  ),
];
