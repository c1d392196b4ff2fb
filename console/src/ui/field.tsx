import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { classNames } from '../lib/class-names.ts'

interface FieldFrame {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Hides the label visually where the context makes it obvious. */
  readonly isLabelHidden?: boolean
}

const control =
  'w-full min-w-0 rounded-md border bg-surface px-3 text-sm text-ink transition-colors disabled:opacity-60 aria-invalid:border-bad'

/**
 * A label, an input, a hint and an error, connected for screen readers. It takes the result of react-hook-form's
 * `register`.
 */
export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...input
}: FieldFrame & InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      <input
        id={id}
        {...input}
        {...described(id, hint, error)}
        className={classNames(control, 'h-9 border-line-strong', className)}
      />
    </Frame>
  )
}

export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...input
}: FieldFrame & TextareaHTMLAttributes<HTMLTextAreaElement> & { readonly ref?: Ref<HTMLTextAreaElement> }) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      <textarea
        id={id}
        rows={3}
        {...input}
        {...described(id, hint, error)}
        className={classNames(control, 'border-line-strong py-2', className)}
      />
    </Frame>
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
  /** A short fact beside the label, in lists that have room for it. */
  readonly detail?: string
}

/** The native select, because it works well on phones, with the keyboard and with screen readers. */
export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  choices,
  className,
  ...input
}: FieldFrame &
  SelectHTMLAttributes<HTMLSelectElement> & {
    readonly choices: readonly Choice[]
    readonly ref?: Ref<HTMLSelectElement>
  }) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      <select
        id={id}
        {...input}
        {...described(id, hint, error)}
        className={classNames(control, 'h-9 border-line-strong', className)}
      >
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

export function CheckField({
  label,
  hint,
  ...input
}: { readonly label: ReactNode; readonly hint?: ReactNode } & InputHTMLAttributes<HTMLInputElement> & {
    readonly ref?: Ref<HTMLInputElement>
  }) {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input id={id} type="checkbox" {...input} className="mt-0.5 size-4 accent-accent" />
      <label htmlFor={id} className="min-w-0">
        <span>{label}</span>
        {hint === undefined ? null : <span className="block text-muted text-xs">{hint}</span>}
      </label>
    </div>
  )
}

function Frame({
  id,
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
}: {
  readonly id: string
  readonly label: string
  readonly hint: ReactNode
  readonly error: string | undefined
  readonly isLabelHidden?: boolean | undefined
  readonly children: ReactNode
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium text-sm'}>
        {label}
      </label>
      {children}
      {hint === undefined || error !== undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-muted text-xs">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="mt-1 text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  )
}

function described(id: string, hint: ReactNode, error: string | undefined) {
  if (error !== undefined) return { 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const
  return hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
}
