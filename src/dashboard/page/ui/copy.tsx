import { useState } from 'preact/hooks';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { FailureNote } from './failure-note.tsx';

/** Without a secure context (a mock on another host, over http) only the deprecated command can copy. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (!copied) throw new Error('The browser denied access to the clipboard.');
}

interface CopyProps {
  /** The text, or a function that creates it when the button is pressed. */
  readonly text: string | (() => Promise<string>);
  /** What is copied, e.g. "base URL"; part of the button's name and of the announcement. */
  readonly what: string;
  readonly children?: string;
  readonly kind?: 'plain' | 'primary' | 'inline';
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, what, children = 'Copy', kind }: CopyProps) {
  const [copied, setCopied] = useState(false);
  const copy = useAction(async () => {
    await writeClipboard(typeof text === 'string' ? text : await text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
    return `Copied: ${what}`;
  });
  return (
    <>
      <Button
        kind={kind}
        busy={copy.busy}
        label={`${children} ${children === 'Copy' ? '' : '· '}${what}`}
        onClick={() => copy.run()}
      >
        {copied ? 'Copied ✓' : children}
      </Button>
      <FailureNote failure={copy.failure} />
    </>
  );
}

/** A text with a button that copies it. */
export const CopyLine = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div class="row copy-line">
    <code class="sunken">{text}</code>
    <CopyButton text={text} what={what} kind="inline" />
  </div>
);

interface CopyBlockProps {
  readonly title: string;
  readonly body: object;
  readonly what: string;
}

/** JSON shown indented, with a button that copies it as one line. */
export const CopyBlock = ({ title, body, what }: CopyBlockProps) => (
  <div>
    <div class="row small">
      <span class="muted">{title}</span>
      <CopyButton text={JSON.stringify(body)} what={what} kind="inline" />
    </div>
    <pre class="sunken">{JSON.stringify(body, null, 2)}</pre>
  </div>
);
