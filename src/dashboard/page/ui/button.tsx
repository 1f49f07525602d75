import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { useChange } from './action.ts';
import { FailureNote } from './failure-note.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | 'inline' | undefined;
  /** Not disabled while busy: that would remove the focus. */
  readonly busy?: boolean | undefined;
  /** Its accessible name, where its text is not enough. */
  readonly label?: string | undefined;
}

/** A button. */
export const Button = ({ kind = 'plain', busy, label, ...rest }: ButtonProps) => (
  <button type="button" class={`button ${kind}`} aria-busy={busy} aria-label={label} {...rest} />
);

interface ChangeProps extends Pick<ButtonProps, 'kind' | 'label' | 'disabled'> {
  readonly children: string;
  /** Changes the world, and returns the message to announce. */
  readonly act: () => Promise<unknown>;
}

/** A button that changes the world, with why that failed. */
export function ChangeButton({ act, ...rest }: ChangeProps) {
  const { run, busy, failure } = useChange(act);
  return (
    <>
      <Button {...rest} busy={busy} onClick={() => run()} />
      <FailureNote failure={failure} />
    </>
  );
}

/** The same for what cannot be undone: asks for a second click. Escape, or moving the focus away, cancels. */
export function ConfirmButton({ act, children, label, disabled }: ChangeProps) {
  const { run, busy, failure } = useChange(act);
  const [asking, setAsking] = useState(false);
  const confirming = (text: string) => `Confirm ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  const click = async (button: HTMLElement) => {
    setAsking(!asking);
    if (!asking) return;
    await run();
    // The button may be gone with what it deleted; the keyboard must not start at the top of the page again.
    if (!button.isConnected) document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <>
      <Button
        kind="danger"
        busy={busy}
        disabled={disabled}
        label={label && asking ? confirming(label) : label}
        data-asking={asking}
        onClick={({ currentTarget }) => click(currentTarget)}
        onBlur={() => setAsking(false)}
        onKeyDown={(event) => event.key === 'Escape' && setAsking(false)}
      >
        {asking ? confirming(children) : children}
      </Button>
      <FailureNote failure={failure} />
    </>
  );
}
