/** A base URL without user name and password. */
export function withoutUserInfo(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  if (!url.username && !url.password) return baseUrl;
  url.username = '';
  url.password = '';
  return url.href;
}
