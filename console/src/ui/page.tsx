import { type ReactNode, useEffect } from 'react'
import { classNames } from '../lib/class-names.ts'

/** The frame of a page: title, one-line description, actions and content. */
export function Page({
  title,
  tabs,
  description,
  actions,
  children,
}: {
  readonly title: string
  /** Links to pages that share the title, and the name of this one. */
  readonly tabs?: { readonly current: string; readonly links: ReactNode }
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const name = tabs === undefined ? title : `${tabs.current} · ${title}`
  useEffect(() => {
    document.title = `${name} · Weir`
  }, [name])
  const heading = <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
  return (
    <div className="mx-auto w-full max-w-[1280px] px-4 py-5 md:px-8 md:py-7">
      {tabs === undefined ? null : (
        <div className="mb-4">
          {heading}
          {tabs.links}
        </div>
      )}
      <div
        className={classNames('flex flex-wrap items-start justify-between gap-3', tabs === undefined ? 'mb-5' : 'mb-4')}
      >
        <div className="min-w-0">
          {tabs === undefined ? heading : null}
          {description === undefined ? null : (
            <p className={classNames('text-muted text-sm', tabs === undefined && 'mt-1')}>{description}</p>
          )}
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
