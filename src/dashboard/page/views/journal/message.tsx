import type { Schemas } from '../../api/client.ts';

interface MessageProps {
  readonly title: string;
  readonly headers: readonly Schemas['JournalHeader'][];
  readonly body: Schemas['JournalBody'] | undefined;
}

/** JSON laid out to be read; anything else as it is. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A request or a response: its headers and its body. */
export function Message({ title, headers, body }: MessageProps) {
  return (
    <section class="message" aria-label={title}>
      <h3>{title}</h3>
      <details>
        <summary>{headers.length} headers</summary>
        <dl class="headers">
          {headers.map(({ name, value }, index) => (
            <div key={`${name} ${index}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {body && body.size > 0 ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long bodies scroll, and the keyboard has to get there */}
          <pre tabIndex={0}>{laidOut(body.text)}</pre>
          {body.cut && <p class="muted">Only the beginning of {body.size} bytes.</p>}
        </>
      ) : (
        <p class="muted">No body.</p>
      )}
    </section>
  );
}
