import { CircleAlert } from 'lucide-react'
import { ApiError } from '../api/api-error.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

/** What happened, in one sentence. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : 'Something failed, and we do not know what.'
}

/** A failed read in the place of its data: what happened, a retry, and the id that support asks for. */
export function ErrorNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <div role="alert" className="flex items-start gap-3 rounded-md border border-line bg-bad-soft px-4 py-3 text-sm">
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="break-words">{errorWords(error)}</p>
        {requestId === null ? null : (
          <p className="mt-1 flex items-center gap-1 text-muted text-xs">
            Request <code className="min-w-0 break-all font-mono">{requestId}</code>
            <CopyButton text={requestId} label="Copy the request id" />
          </p>
        )}
      </div>
      {onRetry === undefined ? null : (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
