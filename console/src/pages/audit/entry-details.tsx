import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/audit.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Time } from '../../ui/time.tsx'
import { changeRows, fieldInWords } from './change-rows.ts'
import { ChangeTable } from './change-table.tsx'

export const actorLinkClass = 'break-all underline decoration-line-strong underline-offset-4 hover:decoration-accent'

interface Shown {
  readonly of: AuditEntry
  readonly actor: ReactNode
  readonly object: string
  /** Only in the platform's log. */
  readonly customer?: ReactNode
}

/** Who did what, and the values before and after. */
export function EntryDetails(shown: Shown) {
  const { of: entry } = shown
  return (
    <div className="flex flex-col gap-6 text-sm">
      <Facts {...shown} />
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

function Facts({ of: entry, actor, object, customer }: Shown) {
  const { target, requestId, hash } = entry
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Time', <Time iso={entry.at} absolute />],
    ['Actor', actor],
    ...(customer === undefined ? [] : [['Customer', customer] as const]),
    ['Object', object],
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
