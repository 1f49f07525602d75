/** Characters of a secret that identify it. */
const PREFIX_LENGTH = 12;

interface Form {
  text: string;
  name: string;
}

/**
 * Makes the function that redacts secrets (value -> what is written instead) in text: as they are, URL-encoded, JSON-escaped, in base64,
 * and any part of these that starts at the beginning and has 12 characters or more. Where several secrets begin alike,
 * as JWTs do, the longest match is redacted, so that no tail of it stays.
 */
export function scrubber(names: ReadonlyMap<string, string>): (text: string) => string {
  const byStart = new Map<string, Form[]>();
  for (const [secret, name] of names) {
    for (const text of formsOf(secret)) {
      const start = text.slice(0, PREFIX_LENGTH);
      byStart.set(start, [...(byStart.get(start) ?? []), { text, name }]);
    }
  }
  return (text) => scrub(text, byStart);
}

function scrub(text: string, byStart: ReadonlyMap<string, Form[]>): string {
  const marks: { from: number; to: number; name: string }[] = [];
  for (const [start, forms] of byStart) {
    for (let from = text.indexOf(start); from !== -1; from = text.indexOf(start, from + 1)) {
      const longest = forms
        .map((form) => ({ to: from + commonLength(form.text, text, from), name: form.name }))
        .reduce((best, match) => (match.to > best.to ? match : best));
      marks.push({ from, ...longest });
    }
  }
  // From left to right, the longer of two that begin together first; overlapping ones are redacted as one.
  marks.sort((a, b) => a.from - b.from || b.to - a.to);
  let result = '';
  let position = 0;
  for (const { from, to, name } of marks) {
    if (to <= position) continue;
    if (from >= position) result += text.slice(position, from) + name;
    position = to;
  }
  return result + text.slice(position);
}

/** How many characters of `form` are in `text` from a position on. */
function commonLength(form: string, text: string, from: number): number {
  let length = 0;
  while (length < form.length && text[from + length] === form[length]) length += 1;
  return length;
}

/** The forms of a secret in text. Its base64 depends on the bytes before it, hence three. */
function formsOf(secret: string): Set<string> {
  const forms = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  for (const padding of ['', 'x', 'xx']) {
    const bytes = Buffer.from(padding + secret);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    // Characters that also hold bits of the neighbours differ from place to place.
    const core = whole.slice(padding.length === 0 ? 0 : padding.length + 1, bytes.length % 3 === 0 ? undefined : -1);
    if (core.length < 8) continue;
    forms.add(core);
    forms.add(core.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
