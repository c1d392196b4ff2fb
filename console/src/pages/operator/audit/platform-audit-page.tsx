import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import { useMemo } from 'react'
import { platformAuditExportLink, platformAuditQuery } from '../../../api/platform-audit.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { TimeRange } from '../../../ui/time-range.tsx'
import { platformAuditColumns } from './platform-audit-columns.tsx'
import { platformAuditFields } from './platform-audit-fields.ts'
import { platformAuditFilter } from './platform-audit-filter.ts'

const route = getRouteApi('/app/operator/audit-log')

const presets = [{ value: 'all', label: 'All time' }]

/** What operators and the gateway changed, newest first. */
export function PlatformAuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filter = platformAuditFilter(search)
  const log = usePagedRows(useInfiniteQuery(platformAuditQuery(filter)))
  const fields = useMemo(() => platformAuditFields(log.rows), [log.rows])
  return (
    <Page
      title="Audit log"
      description="Who changed prices, provider accounts, customers, and money. Customers never see the names of operators."
      actions={
        <a className={buttonClass()} href={platformAuditExportLink(filter)} download>
          <Download size={16} aria-hidden="true" />
          Export CSV
        </a>
      }
    >
      <DataTable
        name="platform-audit-log"
        label="Audit log"
        columns={platformAuditColumns}
        rowsName="entries"
        {...log}
        rowId={({ id }) => id}
        onOpen={({ sequence }) =>
          void navigate({
            to: '/operator/audit-log/$sequence',
            params: { sequence: String(sequence) },
            search: true,
          })
        }
        fields={fields}
        narrowedBy={['period']}
        filters={<TimeRange presets={presets} usual="all" />}
        empty={
          <EmptyState icon={<ScrollText size={24} aria-hidden="true" />} title="No entries yet">
            Changes by operators, their keys, and the gateway itself appear here.
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
