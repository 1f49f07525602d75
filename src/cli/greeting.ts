import colors from 'picocolors';
import { actorOf } from '../control/target.ts';
import { issueAccessToken } from '../core/operations/tokens.ts';
import { personasOf } from '../core/world/personas.ts';
import type { User } from '../core/world/records.ts';
import type { World } from '../core/world/world.ts';
import type { RunningMock } from '../index.ts';
import { packageVersion } from '../server/files/package-root.ts';

export function greeting({ world, baseUrl }: RunningMock): string {
  const { store, upstream } = world.services;
  const { admin, member, others, recording, otherTenant } = personasOf(world);
  const users = [admin, member, ...others].filter((user) => user !== undefined).slice(0, 6);
  const token = admin && issueAccessToken(world, admin);
  const faults = world.arms.length > 0 ? ` · faults ${world.arms.map(({ id }) => id).join(', ')}` : '';
  const sections = [
    `${colors.bold(`platform-mock ${packageVersion}`)} · profile ${world.answers.profile} · seed ${world.seed}${faults}`,
    [
      row('Base URL', colors.cyan(baseUrl)),
      row('Recording', recording ? `${recording.id} (${recording.status}, owner ${recording.user_id})` : 'none'),
      row('Tenant', `${admin?.tenant ?? 'none'}${otherTenant ? `, another: ${otherTenant.id}` : ''}`),
      ...(upstream === undefined ? [] : [row('Upstream', upstream.url)]),
      row('Sandboxes', `${baseUrl}/~NAME is an isolated world, created on first use`),
      row('Dashboard', `${colors.cyan(`${baseUrl}/_mock/`)}, and the API's docs: ${baseUrl}/_mock/docs`),
      ...(store === undefined ? [] : [row('State', `${store.place}, saved on change`)]),
      row('Control', `${baseUrl}/_mock/info, described by ${baseUrl}/_mock/openapi.json`),
    ].join('\n'),
    ...users.map((user) => persona(world, user)),
    ...(admin && token ? [row(`JWT of ${admin.username}`, token)] : []),
    ...(recording && token ? [row('Try', curl(baseUrl, recording.id, token))] : []),
    `  ${colors.dim('Ctrl+C stops. The header X-Mock-Basis states what a response is based on.')}`,
  ];
  return `${sections.join('\n\n')}\n\n`;
}

const row = (name: string, value: string): string => `  ${colors.dim(name.padEnd(12))} ${value}`;

function persona(world: World, user: User): string {
  const role = user.administrator ? 'administrator' : 'member';
  const { sso, login } = actorOf(world, user);
  return [
    `  ${colors.bold(user.username)} (${user.id}, ${role} of ${user.tenant}${user.confirmed ? '' : ', not confirmed'})`,
    row('SSO claims', JSON.stringify(sso)),
    ...(login ? [row('Login', JSON.stringify(login))] : []),
  ].join('\n');
}

const curl = (baseUrl: string, recording: string, token: string): string =>
  `curl ${baseUrl.startsWith('https:') ? '-k ' : ''}-X PATCH ${baseUrl}/v1/echo/recordings/${encodeURIComponent(recording)} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"title":"Hello"}'`;
