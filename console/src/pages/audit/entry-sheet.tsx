import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { actionInWords } from './audit-words.ts'

/** The sheet of one entry of an audit log, over its list. */
export function EntrySheet<Entry extends { readonly action: string }>({
  number,
  entry,
  details,
  onClose,
}: {
  readonly number: number
  /** Null if the log has no entry with this number. */
  readonly entry: UseQueryResult<Entry | null>
  readonly details: (entry: Entry) => ReactNode
  readonly onClose: () => void
}) {
  return (
    <Sheet
      isOpen
      title={entry.data === undefined || entry.data === null ? 'Audit log entry' : actionInWords(entry.data.action)}
      description={`Entry ${number.toLocaleString('en')}`}
      onClose={onClose}
    >
      {entry.error === null ? null : <ErrorNote error={entry.error} onRetry={() => void entry.refetch()} />}
      {entry.data === null ? (
        <EmptyState title="Entry not found">The log has no entry with this number.</EmptyState>
      ) : entry.data !== undefined ? (
        details(entry.data)
      ) : entry.error === null ? (
        <Skeleton className="h-64 w-full" />
      ) : null}
    </Sheet>
  )
}
