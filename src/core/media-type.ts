/** Type and charset of a Content-Type header, lower-case. */
export function parseMediaType(header: string | undefined): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  return { type: type.trim(), charset };
}
