import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from '../lib/class-names.ts'

type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-raised',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-raised hover:text-ink',
  danger: 'bg-bad-fill text-white border-transparent hover:opacity-90',
}

const sizes = { normal: 'h-9 px-3', small: 'h-7 px-2 text-xs' } as const

/** Only the classes, for links and menu triggers that look like a button. */
export function buttonClass(kind: ButtonKind = 'plain', size: keyof typeof sizes = 'normal', extra = ''): string {
  return classNames(
    'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border text-sm font-medium transition-colors disabled:opacity-55',
    kinds[kind],
    sizes[size],
    extra,
  )
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  readonly size?: keyof typeof sizes
  readonly icon?: ReactNode
  /** Shows that the action is running, and ignores further clicks. */
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** The label must be a verb: "Create key", never "Submit". */
export function Button({ kind, size, icon, isBusy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonClass(kind, size, className)}
    >
      {icon}
      {children}
      {isBusy ? <span aria-hidden="true">…</span> : null}
    </button>
  )
}

/** A button with one icon. The label is its accessible name and tooltip. */
export function IconButton({ label, children, className, ...rest }: ButtonProps & { readonly label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classNames(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-raised hover:text-ink disabled:opacity-55',
        className,
      )}
    >
      {children}
    </button>
  )
}
