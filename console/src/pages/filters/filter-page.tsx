import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { filtersQuery } from '../../api/filters.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterDialog } from './filter-dialog.tsx'

/** One filter, in a dialog over the list, which shows loading and errors. */
export function FilterPage() {
  const { ruleId } = useParams({ from: '/app/filters/$ruleId' })
  const navigate = useNavigate()
  const { organizationId } = useOrganization()
  const { data } = useQuery(filtersQuery(organizationId))
  const close = () => void navigate({ to: '/filters', replace: true })
  if (data === undefined) return null
  const rule = data.data.find(({ id }) => id === ruleId)
  if (rule === undefined) {
    return (
      <Dialog isOpen title="Content filter" onClose={close}>
        <EmptyState title="Content filter not found">It was deleted or belongs to another organization.</EmptyState>
      </Dialog>
    )
  }
  return <FilterDialog organizationId={organizationId} rule={rule} templates={data.templates} onClose={close} />
}
