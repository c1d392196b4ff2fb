import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Download, ScrollText, ShieldCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { auditExportLink, auditQuery } from '../../api/audit.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { auditColumns } from './audit-columns.tsx'
import { auditFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { actorInWords } from './audit-words.ts'
import { VerifyDialog } from './verify-dialog.tsx'

const route = getRouteApi('/app/audit')

/** Who changed what in an organization, newest first. */
export function AuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId, name } = useOrganization()
  const [isVerifying, setVerifying] = useState(false)
  const filter = auditFilter(search)
  const log = useInfiniteQuery(auditQuery(organizationId, filter))
  const rows = useMemo(() => log.data?.pages.flatMap(({ data }) => data), [log.data])
  const isFiltered = Object.keys(filter).length > 0
  const actor = search.actor === undefined ? undefined : rows?.[0]?.actor
  return (
    <Page
      title="Audit log"
      description={`Who changed what in ${name}. Entries can't be changed or deleted.`}
      actions={
        <>
          <a className={buttonClass()} href={auditExportLink(organizationId, filter, 'csv')} download>
            <Download size={16} aria-hidden="true" />
            Export CSV
          </a>
          <a className={buttonClass()} href={auditExportLink(organizationId, filter, 'ndjson')} download>
            Export JSON
          </a>
          <Button icon={<ShieldCheck size={16} aria-hidden="true" />} onClick={() => setVerifying(true)}>
            Verify log…
          </Button>
        </>
      }
    >
      <DataTable
        name="audit-log"
        label="Audit log"
        columns={auditColumns}
        rows={rows}
        rowId={({ id }) => id}
        error={log.error}
        onRetry={() => void log.refetch()}
        hasMore={log.hasNextPage && !log.isFetchingNextPage}
        onMore={() => void log.fetchNextPage()}
        onOpen={({ sequence }) =>
          void navigate({ to: '/audit/$sequence', params: { sequence: String(sequence) }, search: true })
        }
        filters={<AuditFilters actorName={actor === undefined ? undefined : actorInWords(actor)} />}
        empty={
          isFiltered ? (
            <EmptyState
              title="No matching entries"
              action={<Button onClick={() => void navigate({ search: {}, replace: true })}>Show all entries</Button>}
            />
          ) : (
            <EmptyState icon={<ScrollText size={24} aria-hidden="true" />} title="No entries yet">
              Changes to settings, members, keys, limits, and filters appear here.
            </EmptyState>
          )
        }
      />
      <Outlet />
      {isVerifying ? <VerifyDialog organizationId={organizationId} onClose={() => setVerifying(false)} /> : null}
    </Page>
  )
}
