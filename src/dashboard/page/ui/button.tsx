import type { ComponentProps } from 'preact';
import { call, doneBy, type InputOf, type OperationName } from '../api/document.ts';
import { mayAct, useAction } from './action.tsx';
import { FailureNote } from './parts.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'inline' | undefined;
  readonly text?: string | undefined;
  /** What it is about, where its text does not say that. */
  readonly of?: string | undefined;
  /** Its accessible name; by default, its text and what it is about. */
  readonly label?: string | undefined;
  /** Not disabled while busy: that would remove the focus. */
  readonly busy?: boolean | undefined;
}

export const Button = ({ kind = 'plain', text, of, busy, label = of && `${text} ${of}`, ...rest }: ButtonProps) => (
  <button type="button" class={`button ${kind}`} aria-busy={busy} aria-label={label} {...rest}>
    {text}
  </button>
);

interface ActProps extends ButtonProps {
  /** Does it, and returns the message to announce. */
  readonly act: () => Promise<unknown>;
  /** It cannot be undone: asks before. */
  readonly asks?: boolean;
}

export function ActButton({ act, asks = false, kind = asks ? 'danger' : 'plain', ...rest }: ActProps) {
  const { run, busy, failure } = useAction(act);
  const click = async (button: HTMLElement) => {
    if (!mayAct([rest.text, rest.of].filter(Boolean).join(' '), asks)) return;
    await run();
    // The button may be gone with what it deleted; the keyboard must not start at the top of the page again.
    if (!button.isConnected) document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <>
      <Button {...rest} kind={kind} busy={busy} onClick={({ currentTarget }) => click(currentTarget)} />
      <FailureNote failure={failure} />
    </>
  );
}

interface OperationButtonProps<O extends OperationName> extends Omit<ActProps, 'act'> {
  readonly operation: O;
  readonly given: InputOf<O>;
  /** The message that reports it; by default, what the document says, and what it is about. */
  readonly done?: string;
}

/** Calls an operation of the control plane. */
export function OperationButton<O extends OperationName>(props: OperationButtonProps<O>) {
  const { operation, given, done = `${doneBy(operation)}: ${props.of ?? 'all'}`, ...rest } = props;
  const act = async () => {
    await call(operation, given);
    return done;
  };
  return <ActButton {...rest} act={act} />;
}

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

interface CopyProps extends Pick<ButtonProps, 'kind'> {
  readonly text?: string;
  readonly copied: string | (() => Promise<string>);
  /** Its name, e.g. "base URL"; part of the button's name and of the announcement. */
  readonly what: string;
}

export const CopyButton = ({ text = 'Copy', copied, what, kind }: CopyProps) => (
  <ActButton
    kind={kind}
    text={text}
    label={`${text} ${text === 'Copy' ? '' : '· '}${what}`}
    act={async () => {
      await writeClipboard(typeof copied === 'string' ? copied : await copied());
      return `Copied: ${what}`;
    }}
  />
);

/** A text with a button that copies it, or another text in its place. */
export const CopyLine = ({ shown, ...copy }: CopyProps & { readonly shown?: string }) => (
  <div class="row copy-line">
    <code class="sunken">{shown ?? String(copy.copied)}</code>
    <CopyButton kind="inline" {...copy} />
  </div>
);
