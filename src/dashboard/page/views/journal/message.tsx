import type { Schemas } from '../../api/client.ts';

interface MessageProps {
  readonly title: string;
  readonly headers: readonly Schemas['JournalHeader'][];
  readonly body: Schemas['JournalBody'] | undefined;
}

/** JSON indented; anything else unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A request or a response: its headers and its body. */
export const Message = ({ title, headers, body }: MessageProps) => (
  <section class="stack message small" aria-label={title}>
    <h3>{title}</h3>
    <details>
      <summary class="muted">{headers.length} headers</summary>
      <dl class="headers">
        {headers.map(({ name, value }, index) => (
          <div key={`${name} ${index}`} class="row">
            <dt class="muted">{name}:</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
    {body && body.size > 0 ? (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long bodies scroll, and the keyboard has to reach them */}
        <pre class="sunken" tabIndex={0}>
          {indented(body.text)}
        </pre>
        {body.cut && <p class="muted">Truncated. The body has {body.size} bytes.</p>}
      </>
    ) : (
      <p class="muted">No body.</p>
    )}
  </section>
);
