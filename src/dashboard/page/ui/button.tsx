import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => unknown;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean | undefined;
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
  label,
  expanded,
  pressed,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
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
  readonly disabled?: boolean | undefined;
}

/** A button for what cannot be undone: it asks once more, in place. Escape, or going elsewhere, takes it back. */
export function ConfirmButton({
  children,
  onConfirm,
  label,
  question = `Really ${children.toLowerCase()}?`,
  disabled,
}: ConfirmProps) {
  const [asking, setAsking] = useState(false);
  const click = () => {
    if (!asking) return setAsking(true);
    setAsking(false);
    void onConfirm();
  };
  return (
    <button
      type="button"
      class={`button danger ${asking ? 'asking' : ''}`}
      disabled={disabled}
      aria-label={label && (asking ? `${question} ${label}` : label)}
      onClick={click}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => event.key === 'Escape' && setAsking(false)}
    >
      {asking ? question : children}
    </button>
  );
}
