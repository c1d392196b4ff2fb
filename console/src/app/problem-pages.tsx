import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { Button, buttonClass } from '../ui/button.tsx'

function Problem({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly action: ReactNode
}) {
  return (
    <main className="flex min-h-[70dvh] flex-col items-center justify-center gap-2 px-6 text-center">
      <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
      <div className="max-w-md text-muted text-sm">{children}</div>
      <div className="mt-4">{action}</div>
    </main>
  )
}

const retry = (
  <Button kind="primary" onClick={() => location.reload()}>
    Try again
  </Button>
)

export function NotFoundPage() {
  return (
    <Problem
      title="Page not found"
      action={
        <Link to="/" search={{ scope: undefined }} className={buttonClass('primary')}>
          Go to overview
        </Link>
      }
    >
      The URL may be wrong, or the page may belong to an organization you're not a member of.
    </Problem>
  )
}

/** The page for a failed load: the gateway is unreachable, in maintenance, or another error occurred. */
export function ProblemPage({ error: thrown }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error instanceof ApiError && error.status === 0) {
    return (
      <Problem title="Can't reach the gateway" action={retry}>
        Check your connection and try again.
      </Problem>
    )
  }
  if (error instanceof ApiError && error.status === 503) {
    return (
      <Problem title="Weir is under maintenance" action={retry}>
        {error.message} Requests in progress will finish. Rejected requests aren't charged.
      </Problem>
    )
  }
  return (
    <Problem title="Couldn't load this page" action={retry}>
      <p className="break-words">{error.message}</p>
      {error instanceof ApiError && error.requestId !== null ? (
        <p className="mt-2 text-xs">
          Request ID <code className="font-mono">{error.requestId}</code>
        </p>
      ) : null}
    </Problem>
  )
}
