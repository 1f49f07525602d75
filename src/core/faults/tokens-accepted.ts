import { decodeJwt } from '../jwt.ts';
import type { Caller } from '../operations/operation.ts';
import type { World } from '../world/world.ts';
import {
  accepting,
  acceptingJwt,
  acceptingPat,
  administratorOf,
  callerById,
  openTo,
  protectedIds,
} from './credentials.ts';
import type { FaultRow } from './fault.ts';

const admin = (world: World): Caller | undefined => callerById(world, administratorOf(world)?.id, 'jwt');

const isDotted = (token: string): boolean => token.split('.').length === 3;

const isForged = (token: string): boolean => decodeJwt(token) === undefined;

/** Faults under which invalid credentials are accepted. */
export const acceptedTokenFaults: readonly FaultRow[] = [
  [
    'open-to-all',
    ['AUT-03'],
    'Requests without credentials are served as an administrator.',
    openTo(admin, ...protectedIds),
  ],
  ['updates-open-to-all', ['AUT-03'], 'Updates do not require credentials.', openTo(admin, 'updateRecording')],
  [
    'keys-open-to-all',
    ['AUT-03'],
    'The list of API keys does not require credentials.',
    openTo(admin, 'listTenantApiKeys'),
  ],
  ['scopes-open-to-all', ['AUT-03'], 'The token scopes do not require credentials.', openTo(admin, 'listTokenScopes')],
  [
    'any-token-accepted',
    ['AUT-04'],
    'Any bearer token is accepted.',
    accepting((world, token) => (token === '' ? undefined : admin(world))),
  ],
  [
    'any-dotted-token-accepted',
    ['AUT-04'],
    'Any token with two dots is accepted as a JWT.',
    accepting((world, token) => (isDotted(token) && isForged(token) ? admin(world) : undefined)),
  ],
  [
    'garbage-crashes',
    ['AUT-04'],
    'A bearer token that is neither JWT nor PAT causes a 500.',
    {
      deliver: (sent, { arrival }) => {
        const token = String(arrival.headers.authorization ?? '').split(' ')[1] ?? '';
        return sent.status === 401 && token !== '' && !token.includes('.') ? { ...sent, status: 500 } : undefined;
      },
    },
  ],
  ['jwt-signature-unchecked', ['AUT-05', 'AUT-06'], "A JWT's signature is not verified.", acceptingJwt(() => true)],
  [
    'jwt-any-signature',
    ['AUT-05'],
    'A JWT is accepted with any non-empty signature.',
    acceptingJwt((given) => given !== ''),
  ],
  [
    'jwt-signature-start',
    ['AUT-05'],
    "Only the first half of a JWT's signature is compared.",
    acceptingJwt((given, genuine) => given !== '' && given.slice(0, 20) === genuine.slice(0, 20)),
  ],
  [
    'jwt-signature-end',
    ['AUT-05'],
    "Only the second half of a JWT's signature is compared.",
    acceptingJwt((given, genuine) => given !== '' && given.slice(-20) === genuine.slice(-20)),
  ],
  [
    'jwt-signature-last-character',
    ['AUT-05'],
    "The last character of a JWT's signature is not compared.",
    acceptingJwt((given, genuine) => given.length === genuine.length && given.slice(0, -1) === genuine.slice(0, -1)),
  ],
  [
    'unsigned-jwt-accepted',
    ['AUT-06'],
    'A JWT with alg none is accepted.',
    acceptingJwt((_given, _genuine, algorithm) => algorithm === 'none'),
  ],
  [
    'unsigned-jwt-in-capitals',
    ['AUT-06'],
    'A JWT with alg None is accepted, in any case but lower case.',
    acceptingJwt((_given, _genuine, algorithm) => algorithm !== 'none' && algorithm.toLowerCase() === 'none'),
  ],
  [
    'empty-signature-accepted',
    ['AUT-06'],
    'A JWT is accepted without its signature.',
    acceptingJwt((given) => given === ''),
  ],
  ['pat-any-secret', ['AUT-07'], 'A PAT is accepted with any non-empty secret.', acceptingPat((given) => given !== '')],
  ['pat-secret-optional', ['AUT-07'], 'A PAT is accepted without its secret.', acceptingPat((given) => given === '')],
  [
    'pat-secret-start',
    ['AUT-07'],
    "Only the first eight characters of a PAT's secret are compared.",
    acceptingPat((given, genuine) => given.slice(0, 8) === genuine.slice(0, 8)),
  ],
  [
    'pat-secret-length',
    ['AUT-07'],
    "Only the length of a PAT's secret is compared.",
    acceptingPat((given, genuine) => given.length === genuine.length),
  ],
  [
    'pat-secret-part',
    ['AUT-07'],
    'A PAT is accepted with a prefix of its secret.',
    acceptingPat((given, genuine) => given !== '' && genuine.startsWith(given)),
  ],
  [
    'pat-secret-last-character',
    ['AUT-07'],
    "The last character of a PAT's secret is not compared.",
    acceptingPat((given, genuine) => given.length === genuine.length && given.slice(0, -1) === genuine.slice(0, -1)),
  ],
];
