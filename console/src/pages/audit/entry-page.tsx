import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type AuditEntry, auditEntryQuery } from '../../api/audit.ts'
import { useOrganization } from '../../app/wallet.ts'
import { actorInWords, objectInWords } from './audit-words.ts'
import { actorLinkClass, EntryDetails } from './entry-details.tsx'
import { EntrySheet } from './entry-sheet.tsx'

/** One entry of the audit log, in a sheet over the list: who did what, and the values before and after. */
export function EntryPage() {
  const { sequence } = useParams({ from: '/app/audit/$sequence' })
  const navigate = useNavigate()
  const { organizationId } = useOrganization()
  const number = /^\d{1,15}$/.test(sequence) ? Number(sequence) : 0
  const entry = useQuery(auditEntryQuery(organizationId, number))
  return (
    <EntrySheet
      number={number}
      entry={entry}
      onClose={() => void navigate({ to: '/audit', search: true })}
      details={(found) => <Details of={found} />}
    />
  )
}

function Details({ of: entry }: { readonly of: AuditEntry }) {
  const object = objectInWords(entry)
  return (
    <EntryDetails
      of={entry}
      object={object === '' ? 'None' : object}
      actor={
        entry.actor.id === null ? (
          actorInWords(entry.actor)
        ) : (
          <Link to="/audit" search={{ actor: entry.actor.id }} title="Show only this actor" className={actorLinkClass}>
            {actorInWords(entry.actor)}
          </Link>
        )
      }
    />
  )
}
