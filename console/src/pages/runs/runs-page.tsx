import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { runsQuery } from '../../api/runs.ts'
import { DocsLink } from '../../app/docs-link.tsx'
import { useWallet } from '../../app/wallet.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Page } from '../../ui/page.tsx'
import { runColumns } from './run-columns.tsx'

const route = getRouteApi('/app/runs')

/** The runs of agents, with their spend and budgets. */
export function RunsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const runs = usePagedRows(useInfiniteQuery(runsQuery(useWallet(), search)))
  return (
    <Page title="Runs" description="The runs of your agents, with their spend and budgets.">
      <DataTable
        name="runs"
        label="Runs"
        columns={runColumns}
        {...runs}
        rowId={({ id }) => id}
        usualSort="-created"
        onOpen={({ id }) => void navigate({ to: '/runs/$runId/details', params: { runId: id }, search: true })}
        searchBox={{ label: 'Search runs', hint: 'Beginning of an ID' }}
        empty={
          <EmptyState icon={<Waypoints size={24} aria-hidden="true" />} title="No runs yet">
            Send the <code className="font-mono text-xs">X-Weir-Run</code> header with each request of an agent to group
            them into a run, and <code className="font-mono text-xs">X-Weir-Run-Budget</code> to limit their total
            spend. The first request creates the run.{' '}
            <DocsLink to="api#limit-the-spend-of-an-agent-run">How to limit the spend of a run</DocsLink>
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
