import { type ReactNode, useEffect } from 'react'
import { classNames } from '../lib/class-names.ts'

/** The frame of a page: title, one-line description, actions and content. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Weir`
  }, [title])
  return (
    <div className="mx-auto w-full max-w-[1280px] px-4 py-5 md:px-8 md:py-7">
      <div className="mb-5 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          {description === undefined ? null : <p className="mt-1 text-muted text-sm">{description}</p>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** A surface with a border. */
export function Card({
  title,
  description,
  aside,
  className,
  children,
}: {
  readonly title?: ReactNode
  readonly description?: ReactNode
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <section className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)}>
      {title === undefined ? null : (
        <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-3">
          <div className="min-w-0">
            <h2 className="font-semibold text-sm">{title}</h2>
            {description === undefined ? null : <p className="mt-0.5 text-muted text-xs">{description}</p>}
          </div>
          {aside}
        </div>
      )}
      <div className="p-4">{children}</div>
    </section>
  )
}
