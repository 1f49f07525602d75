/** The header Accept of `fetch`, which writes the names of all headers in lower case. */
export const FETCH = '*/*';

/** Headers with their names as the client writes them whose Accept it is. */
export const asNamed = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [headers.Accept === FETCH ? name.toLowerCase() : name, value]),
  );
