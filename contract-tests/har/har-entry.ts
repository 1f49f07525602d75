/** An exchange as HAR 1.2 describes it, its texts ready to be shown. Runs in browsers, too. */
export interface HarExchange {
  /** ISO 8601. */
  startedAt: string;
  /** From the arrival of the request to the last byte of the answer. */
  durationMs: number;
  httpVersion: string;
  method: string;
  url: string;
  request: HarMessage;
  status: number;
  statusText: string;
  response: HarMessage;
  /** Who called: a name in `log._source`, or the id of a user. */
  actor: string | undefined;
  /** For what the suite sent it. */
  asked?: object | undefined;
  comment?: string;
}

interface HarMessage {
  headers: readonly { readonly name: string; readonly value: string }[];
  /** In bytes, as sent. */
  size: number;
  /** `size`: in bytes, decompressed. A comment says why there is no text. */
  body:
    | { readonly size: number; readonly text?: string | undefined; readonly comment?: string | undefined }
    | undefined;
}

/** The entry of a HAR file, in which `_actor` says who called, and `_asked` for what the suite sent it. */
export function entryOf(exchange: HarExchange): object {
  const { startedAt, durationMs, httpVersion, method, url, request, status, statusText, response, actor, asked } =
    exchange;
  const common = { httpVersion, cookies: [], headersSize: -1 };
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      ...{ ...common, method, url, headers: request.headers, bodySize: request.size },
      queryString: [...queryOf(url)].map(([name, value]) => ({ name, value })),
      ...(request.body && { postData: contentOf(request) }),
    },
    response: {
      ...{ ...common, status, statusText, headers: response.headers, bodySize: response.size },
      content: { size: response.body?.size ?? 0, ...contentOf(response) },
      redirectURL: headerOf(response, 'location'),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(actor !== undefined && { _actor: actor }),
    ...(asked && { _asked: asked }),
    ...(exchange.comment !== undefined && { comment: exchange.comment }),
  };
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

const headerOf = ({ headers }: HarMessage, name: string): string =>
  headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';

const contentOf = (message: HarMessage) => {
  const { text = '', comment } = message.body ?? {};
  return { mimeType: headerOf(message, 'content-type'), ...(comment === undefined ? { text } : { comment }) };
};
