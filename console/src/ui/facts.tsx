import type { ReactNode } from 'react'

/** Labels and values of an object, in columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A part of a sheet with its own heading. On a page, where no title is above it, `level` is 2. */
export function Section({
  title,
  level = 3,
  aside,
  children,
}: {
  readonly title: string
  readonly level?: 2 | 3
  readonly aside?: ReactNode
  readonly children: ReactNode
}) {
  const Heading = `h${level}` as const
  return (
    <section aria-label={title}>
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <Heading className="font-semibold text-sm">{title}</Heading>
        {aside}
      </div>
      {children}
    </section>
  )
}
