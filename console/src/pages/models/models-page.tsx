import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useMemo } from 'react'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Comparison } from './comparison.tsx'
import { modelColumns } from './model-columns.tsx'
import { modelFields } from './model-fields.ts'
import { compareMax, comparedIds, type ModelSearch, searchModels } from './model-search.ts'
import { type Model, modelPath, modelsQuery } from '../../api/models.ts'

const route = getRouteApi('/app/models')

/** The model catalog: models, prices and availability. */
export function ModelsPage() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const models = useQuery(modelsQuery)
  const all = models.data?.data
  const found = useMemo(() => (all === undefined ? undefined : searchModels([...all], search)), [all, search])
  const change = (next: ModelSearch) => void navigate({ to: '/models', search: next, replace: true })
  const compared = comparedIds(search)
  const toggle = (id: string) => {
    const ids = compared.includes(id) ? compared.filter((other) => other !== id) : [...compared, id]
    const { compare: _old, ...others } = search
    change(ids.length === 0 ? others : { ...others, compare: ids.slice(-compareMax).join(',') })
  }
  const fields = useMemo(() => modelFields(all ?? []), [all])
  const columns = useMemo(() => modelColumns({ compared, toggle }), [search])
  return (
    <Page title="Models" description="One API for every model. Prices are in USD per 1M tokens unless noted.">
      {compared.length === 0 || all === undefined ? null : (
        <Comparison models={pick(all, compared)} onRemove={toggle} />
      )}
      <DataTable
        name="models"
        label="Models"
        columns={columns}
        rows={found}
        rowId={({ id }) => id}
        error={models.error}
        onRetry={() => void models.refetch()}
        onOpen={({ id }) => void navigate({ to: '/models/$author/$name', params: modelPath(id) })}
        searchBox={{ label: 'Search models', hint: 'Search by name or ID' }}
        fields={fields}
        summary={found === undefined ? undefined : `${found.length} of ${all?.length ?? 0} models`}
        empty={
          <EmptyState icon={<Boxes size={24} aria-hidden="true" />} title="No models yet">
            The gateway operator can import models with <code className="font-mono">weir catalogue import</code>.
          </EmptyState>
        }
      />
      <p className="mt-3 text-muted text-xs">
        Select up to {compareMax} models to compare. Unavailable models have no provider account on this gateway;{' '}
        <Link to="/playground" className="text-accent-strong underline underline-offset-2">
          try available models in the playground
        </Link>
        .
      </p>
    </Page>
  )
}

function pick(all: readonly Model[], ids: readonly string[]): readonly Model[] {
  return ids.map((id) => all.find((model) => model.id === id)).filter((model) => model !== undefined)
}
