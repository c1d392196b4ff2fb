import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type AuditEntry, auditEntryQuery } from '../../api/audit.ts'
import { useOrganization } from '../../app/wallet.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { actionInWords, actorInWords, objectInWords } from './audit-words.ts'
import { changeRows, fieldInWords } from './change-rows.ts'
import { ChangeTable } from './change-table.tsx'

/** One entry of the audit log, in a sheet over the list: who did what, and the values before and after. */
export function EntryPage() {
  const { sequence } = useParams({ from: '/app/audit/$sequence' })
  const navigate = useNavigate()
  const { organizationId } = useOrganization()
  const number = /^\d{1,15}$/.test(sequence) ? Number(sequence) : 0
  const entry = useQuery(auditEntryQuery(organizationId, number))
  return (
    <Sheet
      isOpen
      title={entry.data === undefined || entry.data === null ? 'Audit log entry' : actionInWords(entry.data.action)}
      description={`Entry ${number.toLocaleString('en')}`}
      onClose={() => void navigate({ to: '/audit', search: true })}
    >
      {entry.error === null ? null : <ErrorNote error={entry.error} onRetry={() => void entry.refetch()} />}
      {entry.data === null ? (
        <EmptyState title="Entry not found">The log has no entry with this number.</EmptyState>
      ) : entry.data === undefined ? (
        entry.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <Details of={entry.data} />
      )}
    </Sheet>
  )
}

function Details({ of: entry }: { readonly of: AuditEntry }) {
  return (
    <div className="flex flex-col gap-6 text-sm">
      <Facts of={entry} />
      {entry.before === null && entry.after === null ? null : (
        <ChangeTable title="Changes" rows={changeRows(entry.before, entry.after)} />
      )}
      {entry.details === null ? null : (
        <section aria-labelledby="audit-details">
          <h3 id="audit-details" className="mb-2 font-semibold">
            Details
          </h3>
          <dl className="grid gap-2">
            {changeRows(null, entry.details).map(({ field, after }) => (
              <div key={field}>
                <dt className="text-muted text-xs">{field}</dt>
                <dd className="break-words">{after}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

function Facts({ of: entry }: { readonly of: AuditEntry }) {
  const { actor, target, requestId, hash } = entry
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Time', <Time iso={entry.at} absolute />],
    [
      'Actor',
      actor.id === null ? (
        actorInWords(actor)
      ) : (
        <Link
          to="/audit"
          search={{ actor: actor.id }}
          title="Show only this actor"
          className="break-all underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          {actorInWords(actor)}
        </Link>
      ),
    ],
    ['Object', objectInWords(entry) === '' ? 'None' : objectInWords(entry)],
    ['Object type', target === null ? 'None' : fieldInWords(target.kind)],
    ['Object ID', target === null ? 'None' : <Code text={target.id} label="Copy object ID" />],
    ['Request ID', requestId === null ? 'None' : <Code text={requestId} label="Copy request ID" />],
    ['Action', <code className="font-mono text-xs">{entry.action}</code>],
    ['Hash', <Code text={hash} label="Copy hash" />],
  ]
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="flex items-start gap-1">
      <code className="min-w-0 break-all font-mono text-xs leading-6">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}
