import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

const tones = {
  neutral: 'bg-raised text-muted',
  accent: 'bg-accent-soft text-accent-strong',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const

/** A state as a word; the color repeats it. */
export function Badge({
  tone = 'neutral',
  hint,
  children,
}: {
  readonly tone?: keyof typeof tones
  readonly hint?: string
  readonly children: ReactNode
}) {
  return (
    <span
      title={hint}
      className={classNames(
        'inline-flex items-center gap-1 whitespace-nowrap rounded px-1.5 py-0.5 font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
