import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => unknown;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean | undefined;
  /** At work. It is not disabled then: that would take the focus away. */
  readonly busy?: boolean | undefined;
  readonly label?: string | undefined;
  readonly expanded?: boolean | undefined;
  readonly pressed?: boolean | undefined;
}

/** A button; `label` names it where its text alone does not. */
export function Button({
  children,
  onClick,
  kind = 'plain',
  type = 'button',
  disabled,
  busy,
  label,
  expanded,
  pressed,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
      aria-busy={busy}
      aria-label={label}
      aria-expanded={expanded}
      aria-pressed={pressed}
      onClick={() => void onClick?.()}
    >
      {children}
    </button>
  );
}

interface ConfirmProps {
  readonly children: string;
  readonly onConfirm: () => unknown;
  readonly label?: string | undefined;
  readonly question?: string;
  readonly busy?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

/** A button for what cannot be undone: it asks once more, in place. Escape, or going elsewhere, takes it back. */
export function ConfirmButton({
  children,
  onConfirm,
  label,
  question = `Really ${children.toLowerCase()}?`,
  disabled,
  busy,
}: ConfirmProps) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const click = async () => {
    if (!asking) return setAsking(true);
    setAsking(false);
    await onConfirm();
    // Often it is gone with what it deleted; the keyboard must not start at the top of the page again.
    if (!button.current?.isConnected) document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <button
      ref={button}
      type="button"
      class={`button danger ${asking ? 'asking' : ''}`}
      disabled={disabled}
      aria-busy={busy}
      aria-label={label && (asking ? `${question} ${label}` : label)}
      onClick={() => void click()}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => event.key === 'Escape' && setAsking(false)}
    >
      {asking ? question : children}
    </button>
  );
}
