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
export const trimmedBase = (baseUrl: string): string => baseUrl.replace(/(?<!\/)\/+$/, '');

/** A URL relative to the base URL, query included; the URL itself where it is not below the base URL. */
export function relativeTo(baseUrl: string, url: string): string {
  const base = trimmedBase(baseUrl);
  return base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}
