import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Route as RouteIcon } from 'lucide-react'
import { useState } from 'react'
import { removeRoute, type Route, routesQuery } from '../../../api/supply.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/column.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AddRouteDialog } from './add-route-dialog.tsx'
import { ExplanationCard } from './explanation-card.tsx'

/** The routes from models to accounts, and where a request would be sent. */
export function RoutesPage() {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Route | null>(null)
  const routes = useQuery(routesQuery)
  const mayChange = useMayOperate()('operators.routes')
  const add = mayChange ? (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add route
    </Button>
  ) : null
  return (
    <Page
      title="Routes"
      description="Requests use the routes of the most specific matching pattern. Without one, every account that sells the model serves it."
      actions={add}
    >
      <div className="flex flex-col gap-4">
        <ExplanationCard />
        <DataTable
          name="routes"
          label="Routes"
          columns={mayChange ? [...columns, actionsWith(setRemoved)] : columns}
          rows={routes.data}
          rowId={({ pattern, account }) => `${pattern} ${account}`}
          error={routes.error}
          onRetry={() => void routes.refetch()}
          empty={
            <EmptyState icon={<RouteIcon size={24} aria-hidden="true" />} title="No routes yet" action={add}>
              Models go to every account that sells them: the default provider first, then by price.
            </EmptyState>
          }
        />
      </div>
      {isAdding ? <AddRouteDialog onClose={() => setAdding(false)} /> : null}
      {removed === null ? null : <RemoveRouteDialog route={removed} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

function RemoveRouteDialog({ route, onClose }: { readonly route: Route; readonly onClose: () => void }) {
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: () => removeRoute(route),
    onSuccess: async () => {
      onClose()
      toast('Route removed.')
      await Promise.all([
        client.invalidateQueries({ queryKey: routesQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['operator', 'route-explanation'] }),
      ])
    },
  })
  return (
    <ConfirmDialog
      title="Remove this route?"
      text={`Models that match ${route.pattern} no longer go to ${route.account} by this route, within a second.`}
      act="Remove"
      mutation={removing}
      onClose={onClose}
    />
  )
}

const columns: readonly Column<Route>[] = [
  {
    id: 'pattern',
    header: 'Pattern',
    cell: ({ pattern }) => <code className="font-mono text-xs">{pattern}</code>,
    csv: ({ pattern }) => pattern,
    onPhone: 'title',
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account, accountEnabled }) => (
      <span className="inline-flex items-center gap-2">
        {account}
        {accountEnabled ? null : <Badge>Disabled</Badge>}
      </span>
    ),
    csv: ({ account }) => account,
    onPhone: 'figure',
  },
  {
    id: 'priority',
    header: 'Priority',
    cell: ({ priority }) => String(priority),
    csv: ({ priority }) => String(priority),
    align: 'right',
    width: 90,
  },
  {
    id: 'upstream',
    header: 'Upstream model',
    cell: ({ upstreamModel }) =>
      upstreamModel === null ? (
        <span className="text-muted">Same as in the catalog</span>
      ) : (
        <code className="font-mono text-xs">{upstreamModel}</code>
      ),
    csv: ({ upstreamModel }) => upstreamModel ?? '',
  },
]

function actionsWith(onRemove: (route: Route) => void): Column<Route> {
  return {
    id: 'remove',
    header: 'Actions',
    cell: (route) => (
      <Button size="small" onClick={() => onRemove(route)}>
        Remove…
      </Button>
    ),
    align: 'right',
    width: 120,
  }
}
