import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isControl } from '../../control/is-control.ts';
import { pathOf } from '../../core/message.ts';
import { splitSandbox, type Worlds } from '../../core/world/worlds.ts';
import type { ClientAddress } from '../client-address.ts';
import type { Limits } from './limits.ts';
import { SandboxSizes } from './sizes.ts';
import { Windows } from './windows.ts';

/** Lets a request pass, or answers it. */
export type Gate = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const minute = 60;
const hour = 3600;
/** Probes are no clients. */
const free = /^\/_mock\/(health|metrics)(\/|$)/;
/** What makes a full sandbox smaller. */
const makesSmaller = /^\/_mock\/(reset|seed|sandboxes\/[^/]*)$/;

/** Refuses what is too much for a mock that everybody may use, before anything of it is read. */
export function publicGate(worlds: Worlds, limits: Limits, client: ClientAddress): Gate {
  const windows = new Windows();
  const sizes = new SandboxSizes(limits['sandbox-bytes']);
  const open = new Map<string, number>();
  return (request, response, next) => {
    const { name, url } = splitSandbox(request.url ?? '/');
    const path = pathOf(url);
    const { method = 'GET' } = request;
    if (name === undefined && free.test(path)) return next();
    const address = blockOf(client.of(request));
    const atATime = open.get(address) ?? 0;
    if (atATime >= limits['client-connections'])
      return tooMany(response, 1, `Your address has ${atATime} requests under way, which is the most here.`);
    const byClient = windows.countNow(address, minute);
    if (byClient.made > limits['client-requests'])
      return tooMany(
        response,
        byClient.secondsLeft,
        `Your address has made ${limits['client-requests']} requests this minute.`,
      );
    open.set(address, atATime + 1);
    response.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    const {
      'content-length': length = '0',
      'transfer-encoding': transfer,
      'content-encoding': encoding,
    } = request.headers;
    if (transfer !== undefined) return refuse(response, 411, 'invalid', 'Send the body with Content-Length.');
    // A few bytes may stand for megabytes: what a sandbox takes in is counted as it is sent.
    if ((encoding || 'identity') !== 'identity')
      return refuse(response, 415, 'unsupported_media_type', 'Send the body plain, without Content-Encoding.');
    if (Number(length) > limits['body-bytes'])
      return refuse(response, 413, 'invalid', `The body has more than ${limits['body-bytes']} bytes, the most here.`);
    if (name === undefined) {
      if (method === 'POST' && path === '/_mock/sandboxes') return limitSandboxes(address, response, next);
      if (isControl(path)) return next();
      return refuse(
        response,
        404,
        'not_found',
        'This is a public mock: POST /_mock/sandboxes gives you a sandbox; its baseUrl answers.',
      );
    }
    const bySandbox = windows.countNow(`~${name}`, minute);
    if (bySandbox.made > limits['sandbox-requests'])
      return tooMany(
        response,
        bySandbox.secondsLeft,
        `This sandbox has had ${limits['sandbox-requests']} requests this minute.`,
      );
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'DELETE';
    if (!isRead && path === '/_mock/profile') {
      const byProfile = windows.countNow(`profile ${address}`, hour);
      if (byProfile.made > limits['client-profiles'])
        return tooMany(
          response,
          byProfile.secondsLeft,
          `Your address has changed ${limits['client-profiles']} profiles this hour.`,
        );
    }
    const world = isRead || makesSmaller.test(path) ? undefined : worlds.find(name);
    if (world && sizes.isFull(world, Number(length), path.startsWith('/_mock/snapshots/')))
      return refuse(
        response,
        409,
        'limit',
        `This sandbox holds ${limits['sandbox-bytes']} characters, the most here. POST /_mock/reset or DELETE /_mock/snapshots/NAME makes room.`,
      );
    next();
  };

  function limitSandboxes(address: string, response: ServerResponse, next: () => void): void {
    const counters = worlds.services.counters ?? windows;
    counters.count(`sandboxes ${address}`, hour).then(
      ({ made, secondsLeft }) => {
        if (made <= limits['client-sandboxes']) return next();
        tooMany(response, secondsLeft, `Your address has made ${limits['client-sandboxes']} sandboxes this hour.`);
      },
      () => refuse(response, 503, 'unavailable', 'The store cannot be asked now.', { 'Retry-After': '1' }),
    );
  }
}

/** Whom an address stands for: of IPv6, whoever has one has a whole /64. */
export function blockOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  // In the one form that the parser always takes: without a zone, and without dots at its end.
  const { hostname } = new URL(`http://[${plain.split('%', 1)[0]}]`);
  const parts = (ipaddr.parse(hostname.slice(1, -1)) as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

const tooMany = (response: ServerResponse, seconds: number, message: string): void =>
  refuse(response, 429, 'too_many', `${message} Retry in ${seconds} s.`, { 'Retry-After': String(seconds) });

function refuse(response: ServerResponse, status: number, code: string, message: string, headers = {}): void {
  const text = JSON.stringify({ error: { code, message } });
  response.writeHead(status, {
    'X-Mock-Basis': 'control',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  });
  response.end(text);
}
