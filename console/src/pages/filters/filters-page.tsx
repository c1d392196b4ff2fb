import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Filter, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { filtersQuery } from '../../api/filters.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { filterColumns } from './filter-columns.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import { TryFiltersCard } from './try-filters-card.tsx'

const route = getRouteApi('/app/filters')

/** The content filters of an organization, and a text field that tries them. */
export function FiltersPage() {
  const { create: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId, name } = useOrganization()
  const filters = useQuery(filtersQuery(organizationId))
  const { data } = filters
  const columns = useMemo(() => filterColumns(data?.templates ?? []), [data])
  const setCreating = (isOpen: boolean) =>
    void navigate({ to: '/filters', search: isOpen ? { create: true } : {}, replace: true })
  const create = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create filter
    </Button>
  )
  return (
    <Page
      title="Content filters"
      description={`Block, redact, or flag prompts of ${name} before they reach a model.`}
      actions={create}
    >
      <DataTable
        name="filters"
        label="Content filters"
        columns={columns}
        rows={data?.data}
        rowId={({ id }) => id}
        error={filters.error}
        onRetry={() => void filters.refetch()}
        onOpen={({ id }) => void navigate({ to: '/filters/$ruleId', params: { ruleId: id } })}
        empty={
          <EmptyState icon={<Filter size={24} aria-hidden="true" />} title="No content filters yet" action={create}>
            Start with a template, such as email addresses, and flag matches before you block them.
          </EmptyState>
        }
      />
      {data === undefined || data.data.length === 0 ? null : (
        <div className="mt-6">
          <TryFiltersCard organizationId={organizationId} />
        </div>
      )}
      <Outlet />
      {isCreating === true && data !== undefined ? (
        <FilterDialog
          organizationId={organizationId}
          rule={null}
          templates={data.templates}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </Page>
  )
}
