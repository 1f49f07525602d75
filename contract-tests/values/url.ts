import { asText, type JsonObject } from './json.ts';

/** Why a text cannot be the base URL of an API, in a sentence without user name and password; undefined where it can. */
export function baseUrlProblem(text: string): string | undefined {
  const shown = withoutUserInfo(text);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return `${JSON.stringify(shown)} is not a base URL; expected http://… or https://…`;
  if (/[?#]/.test(text)) return `${shown}: a base URL has neither query nor fragment.`;
  if (shown === text) return undefined;
  return `${shown}: a base URL takes no user and password, since Basic and Bearer cannot share one Authorization header. Give a gateway its own header (headers: in the target file), or let a proxy in front add them.`;
}

/** A base URL without user name and password; of what is not a URL, what follows the last `@`, where there is one. */
export function withoutUserInfo(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl.includes('@') ? `…${baseUrl.slice(baseUrl.lastIndexOf('@'))}` : baseUrl;
  const url = new URL(baseUrl);
  if (!url.username && !url.password) return baseUrl;
  url.username = '';
  url.password = '';
  return url.href;
}

/** The base URL without slashes at its end, for paths to be appended. */
export function trimmedBase(baseUrl: string): string {
  let end = baseUrl.length;
  while (baseUrl[end - 1] === '/') end -= 1;
  return baseUrl.slice(0, end);
}

/** Where a redirect of a request `from` leads, as a path below the base URL, with any scheme; undefined where it leads elsewhere. */
export function pathBelow(baseUrl: string, location: string, from: string): string | undefined {
  if (!URL.canParse(location, from)) return undefined;
  const { host, pathname } = new URL(baseUrl);
  const to = new URL(location, from);
  const prefix = trimmedBase(pathname);
  const path = `${to.pathname}/`.startsWith(`${prefix}/`) ? to.pathname.slice(prefix.length) || '/' : undefined;
  // Two slashes would lead to another host.
  return to.host !== host || path?.startsWith('//') ? undefined : path && path + to.search + to.hash;
}

/** A text without its percent codes; as it is, where a `%` starts none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A URL relative to the base URL, query included; the URL itself where it is not below the base URL. */
export function relativeTo(baseUrl: string, url: string): string {
  const base = trimmedBase(baseUrl);
  return base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}

export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address);

/** Whether a host name, as URLs write it, is meant to be this machine. What it resolves to is another matter. */
export const isLocalName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''));

/** The parameters of a query, names and values as text; a list is one that is repeated. */
export const parametersOf = (query: JsonObject): [name: string, value: string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, asText(each)]),
  );
