import type { ReactNode } from 'react'

/** Explains one thing and offers one action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {icon === undefined ? null : <div className="mb-1 text-muted">{icon}</div>}
      <h2 className="font-semibold text-sm">{title}</h2>
      {children === undefined ? null : <div className="max-w-md text-muted text-sm">{children}</div>}
      {action === undefined ? null : <div className="mt-3">{action}</div>}
    </div>
  )
}
