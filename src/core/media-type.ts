interface MediaType {
  readonly type: string;
  readonly charset: string | undefined;
}

/** Clients send the same one each time. */
let latest: { readonly header: string | undefined; readonly parsed: MediaType } | undefined;

/** Type and charset of a Content-Type header, lower-case. */
export function parseMediaType(header: string | undefined): MediaType {
  if (latest?.header !== header || !latest) latest = { header, parsed: parse(header ?? '') };
  return latest.parsed;
}

function parse(header: string): MediaType {
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  return { type: type.trim(), charset };
}
