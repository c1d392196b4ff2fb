import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Download, ScrollText, ShieldCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type AuditEntry, auditExportLink, auditQuery } from '../../api/audit.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { TimeRange } from '../../ui/time-range.tsx'
import { auditColumns } from './audit-columns.tsx'
import { auditFilter } from './audit-filter.ts'
import { auditFields } from './audit-fields.ts'
import { actorInWords } from './audit-words.ts'
import { VerifyDialog } from './verify-dialog.tsx'

const route = getRouteApi('/app/audit')

const presets = [{ value: 'all', label: 'All time' }]

/** Who changed what in an organization, newest first. */
export function AuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId, name } = useOrganization()
  const [isVerifying, setVerifying] = useState(false)
  const filter = auditFilter(search)
  const log = usePagedRows(useInfiniteQuery(auditQuery(organizationId, filter)))
  const fields = useMemo(() => auditFields(actorsOf(log.rows)), [log.rows])
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
        rowsName="entries"
        {...log}
        rowId={({ id }) => id}
        onOpen={({ sequence }) =>
          void navigate({ to: '/audit/$sequence', params: { sequence: String(sequence) }, search: true })
        }
        fields={fields}
        narrowedBy={['period']}
        filters={<TimeRange presets={presets} usual="all" />}
        empty={
          <EmptyState icon={<ScrollText size={24} aria-hidden="true" />} title="No entries yet">
            Changes to settings, members, keys, limits, and filters appear here.
          </EmptyState>
        }
      />
      <Outlet />
      {isVerifying ? <VerifyDialog organizationId={organizationId} onClose={() => setVerifying(false)} /> : null}
    </Page>
  )
}

function actorsOf(entries: readonly AuditEntry[] | undefined): ReadonlyMap<string, string> {
  return new Map(entries?.flatMap(({ actor }) => (actor.id === null ? [] : [[actor.id, actorInWords(actor)] as const])))
}
