import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { ApiError } from '../api/api-error.ts'
import { Button, buttonClass } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

/** The error as one sentence. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
}

/**
 * A failed read in place of its data: the error, a retry button, and the request id that support asks for. If credit is
 * exhausted, it links to the page for buying credit.
 */
export function ErrorNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  const isUnpaid = error instanceof ApiError && error.status === 402
  return (
    <div role="alert" className="flex items-start gap-3 rounded-md border border-line bg-bad-soft px-4 py-3 text-sm">
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="break-words">{errorWords(error)}</p>
        {requestId === null ? null : (
          <p className="mt-1 flex items-center gap-1 text-muted text-xs">
            <span className="shrink-0">Request ID</span>{' '}
            <code className="min-w-0 break-all font-mono">{requestId}</code>
            <CopyButton text={requestId} label="Copy request ID" />
          </p>
        )}
      </div>
      {isUnpaid ? (
        <Link to="/credits" className={buttonClass('plain', 'small')}>
          Buy credit
        </Link>
      ) : null}
      {onRetry === undefined ? null : (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
