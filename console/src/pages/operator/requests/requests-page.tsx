import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { useMemo, useState } from 'react'
import { operatedRequestsQuery } from '../../../api/operated-requests.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { FilterField } from '../../../ui/filter-field.ts'
import { Page } from '../../../ui/page.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { TimeRange } from '../../../ui/time-range.tsx'
import { outcomeWords } from './outcome-words.ts'
import { rangeOf } from './range-of.ts'
import { requestColumns } from './request-columns.tsx'
import { outcomes, usualPeriod } from './search.ts'

const route = getRouteApi('/app/operator/requests')

const fields: readonly FilterField[] = [
  { name: 'id', label: 'Request ID', type: 'text', hint: 'Starts with req_ or gen-.' },
  { name: 'customer', label: 'Customer', type: 'text', hint: 'Email, organization slug, or ID.' },
  { name: 'key', label: 'API key', type: 'text', hint: 'ID of the key.' },
  { name: 'model', label: 'Model', type: 'text', hint: 'Such as openai/gpt-5.2.' },
  { name: 'provider', label: 'Provider', type: 'text', hint: 'Such as openai.' },
  {
    name: 'outcome',
    label: 'Outcome',
    type: 'choice',
    choices: outcomes.map((value) => ({ value, label: outcomeWords[value].name })),
  },
  { name: 'error', label: 'Error', type: 'text', hint: 'Such as creditExhausted or upstream_failed.' },
]

const presets = [
  { value: '1d', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
]

/** Finished and refused requests of all customers. */
export function OperatedRequestsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // The range changes only with a filter, so that the list stays consistent.
  const [openedAtMs] = useState(() => Date.now())
  const filter = useMemo(() => {
    const { period: _period, from: _from, to: _to, ...others } = search
    return { ...others, ...rangeOf(search, openedAtMs) }
  }, [search, openedAtMs])
  const requests = usePagedRows(useInfiniteQuery(operatedRequestsQuery(filter)))
  return (
    <Page title="Requests" description="Finished and refused requests of all customers, newest first.">
      <DataTable
        name="operator-requests"
        label="Requests"
        columns={requestColumns}
        rowsName="requests"
        {...requests}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/requests/$requestId', params: { requestId: id } })}
        fields={fields}
        narrowedBy={['from', 'to']}
        filters={<TimeRange presets={presets} usual={usualPeriod} reset={{ from: undefined, to: undefined }} />}
        empty={
          <EmptyState icon={<Activity size={24} aria-hidden="true" />} title="No requests in this period">
            Requests appear here when they finish or are refused.
          </EmptyState>
        }
      />
    </Page>
  )
}
