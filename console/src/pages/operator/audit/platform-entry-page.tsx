import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type PlatformAuditEntry, platformAuditEntryQuery } from '../../../api/platform-audit.ts'
import { actorInWords } from '../../audit/audit-words.ts'
import { actorLinkClass, EntryDetails } from '../../audit/entry-details.tsx'
import { EntrySheet } from '../../audit/entry-sheet.tsx'
import { CustomerLink } from '../customer-link.tsx'
import { subjectInWords } from './platform-audit-columns.tsx'

/** One entry of the platform's audit log, in a sheet over the list. */
export function PlatformEntryPage() {
  const { sequence } = useParams({ from: '/app/operator/audit-log/$sequence' })
  const navigate = useNavigate()
  const number = /^\d{1,15}$/.test(sequence) ? Number(sequence) : 0
  const entry = useQuery(platformAuditEntryQuery(number))
  return (
    <EntrySheet
      number={number}
      entry={entry}
      onClose={() => void navigate({ to: '/operator/audit-log', search: true })}
      details={(found) => <Details of={found} />}
    />
  )
}

function Details({ of: entry }: { readonly of: PlatformAuditEntry }) {
  const actor = entry.actor.id ?? entry.actor.name
  const subject = subjectInWords(entry)
  return (
    <EntryDetails
      of={entry}
      object={subject === '' ? (entry.customer?.name ?? 'None') : subject}
      customer={entry.customer === null ? 'None' : <CustomerLink customer={entry.customer} />}
      actor={
        actor === null ? (
          actorInWords(entry.actor)
        ) : (
          <Link to="/operator/audit-log" search={{ actor }} title="Show only this actor" className={actorLinkClass}>
            {actorInWords(entry.actor)}
          </Link>
        )
      }
    />
  )
}
