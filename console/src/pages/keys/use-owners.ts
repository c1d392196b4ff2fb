import { getRouteApi } from '@tanstack/react-router'
import { useKeyHolder } from '../../app/key-holder.ts'
import { useOwnerFields } from '../../app/use-owner-fields.ts'
import { managedOrganization } from '../../api/keys.ts'
import type { FilterField } from '../../ui/filter-field.ts'
import { keyColumns, ownerColumns } from './key-columns.tsx'

const route = getRouteApi('/app/keys')
const shared: FilterField = { name: 'shared', label: 'Shared keys', type: 'flag' }

/** The columns of the list, and its filters by owner. Only an organization's keys belong to different people. */
export function useOwners() {
  const holder = useKeyHolder()
  const ownerFields = useOwnerFields(route.useSearch())
  if (managedOrganization(holder) === null) return { columns: keyColumns, filters: [] }
  const [name, ...others] = keyColumns
  const columns = name === undefined ? keyColumns : [name, ...ownerColumns, ...others]
  return { columns, filters: ownerFields.length === 0 ? [] : [...ownerFields, shared] }
}
