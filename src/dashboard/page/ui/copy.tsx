import { useState } from 'preact/hooks';
import { useAction } from '../api/hooks.ts';
import { useAnnounce } from './announce.tsx';
import { FailureNote } from './failure-note.tsx';

/** Without a secure context (a mock on another host, over http) there is no clipboard but the old one. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (!copied) throw new Error('The browser does not let this page copy.');
}

interface CopyProps {
  /** The text, or what makes it when it is asked for. */
  readonly text: string | (() => Promise<string>);
  /** What is copied, e.g. "base URL": read out, and told once it is done. */
  readonly what: string;
  readonly children?: string;
  readonly kind?: 'plain' | 'primary';
}

/** Copies a text, freshly made where it has to be. */
export function CopyButton({ text, what, children = 'Copy', kind = 'plain' }: CopyProps) {
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  const copy = useAction(async () => {
    await toClipboard(typeof text === 'string' ? text : await text());
    announce(`Copied: ${what}`);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  });
  return (
    <>
      <button
        type="button"
        class={`button ${kind} copy`}
        aria-busy={copy.busy}
        aria-label={`${children} ${children === 'Copy' ? '' : '· '}${what}`}
        onClick={() => void copy.run()}
      >
        {copied ? 'Copied ✓' : children}
      </button>
      <FailureNote failure={copy.failure} />
    </>
  );
}

/** A text that is there to be copied, with its button. */
export function CopyLine({
  text,
  what,
  shown = text,
}: {
  readonly text: string;
  readonly what: string;
  readonly shown?: string;
}) {
  return (
    <div class="copy-line">
      <code>{shown}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}

interface CopyBlockProps {
  readonly title: string;
  readonly body: object;
  readonly what: string;
}

/** A body that is there to be copied, laid out to be read and copied as one line. */
export function CopyBlock({ title, body, what }: CopyBlockProps) {
  return (
    <div class="copy-block">
      <div class="copy-line">
        <span class="muted">{title}</span>
        <CopyButton text={JSON.stringify(body)} what={what} />
      </div>
      <pre>{JSON.stringify(body, null, 2)}</pre>
    </div>
  );
}
