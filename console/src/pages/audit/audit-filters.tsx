import { getRouteApi } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type AuditSearch, auditGroups } from './search.ts'

const route = getRouteApi('/app/audit')

const groupWords = {
  'org.': 'Organization',
  'org_member.': 'Members',
  'team.': 'Teams',
  'key.': 'API keys',
  'byok.': 'Own keys',
  'filter.': 'Content filters',
  'institution.': 'Institutions',
  'webhook.': 'Webhooks',
  'top_up.': 'Payments',
  'invoice.': 'Invoices',
} as const satisfies Record<(typeof auditGroups)[number], string>

const choices = [
  { value: '', label: 'All actions' },
  ...auditGroups.map((group) => ({ value: group, label: groupWords[group] })),
]

/** Action, actor and days, kept in the URL. */
export function AuditFilters({ actorName }: { readonly actorName: string | undefined }) {
  const { action, actor, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: { readonly [Name in keyof AuditSearch]: AuditSearch[Name] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as AuditSearch, replace: true })
  return (
    <>
      <div className="w-40">
        <SelectField
          label="Action"
          isLabelHidden
          choices={choices}
          value={action ?? ''}
          onChange={({ target }) => change({ action: auditGroups.find((group) => group === target.value) })}
        />
      </div>
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className="w-8 text-muted sm:w-auto">
          From
        </span>
        <TextField
          label="From day (UTC)"
          title="From day (UTC)"
          isLabelHidden
          type="date"
          className="max-w-36"
          value={from ?? ''}
          max={to}
          onChange={({ target }) => change({ from: target.value === '' ? undefined : target.value })}
        />
      </div>
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className="w-8 text-muted sm:w-auto">
          to
        </span>
        <TextField
          label="To day (UTC)"
          title="To day (UTC)"
          isLabelHidden
          type="date"
          className="max-w-36"
          value={to ?? ''}
          min={from}
          onChange={({ target }) => change({ to: target.value === '' ? undefined : target.value })}
        />
      </div>
      {actor === undefined ? null : (
        <Button onClick={() => change({ actor: undefined })}>
          Actor: {actorName ?? actor}
          <X size={14} aria-label="Remove filter" />
        </Button>
      )}
    </>
  )
}
