import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { type CatalogueModel, catalogueModelsQuery, catalogueStateQuery } from '../../../api/supply.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/column.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { Tiles } from '../../../ui/tiles.tsx'
import { quotedInShort, stateWords } from './quoted-words.ts'

const route = getRouteApi('/app/operator/catalogue')

/** All models that the gateways know, also those that no listing shows. */
export function CataloguePage() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const models = usePagedRows(useInfiniteQuery(catalogueModelsQuery(q)))
  const state = useQuery(catalogueStateQuery)
  const count = (name: 'models' | 'listed' | 'retired' | 'unpriced') =>
    state.data === undefined ? null : Number(state.data[name]).toLocaleString('en')
  return (
    <Page title="Catalog" description="Models, their providers and prices, as gateways have loaded them.">
      <Tiles
        tiles={[
          ['Models', count('models')],
          ['Listed', count('listed')],
          ['Retired', count('retired')],
          ['Listed without price', count('unpriced')],
        ]}
      />
      <DataTable
        name="catalogue"
        label="Models"
        columns={columns}
        {...models}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/catalogue/model', search: { model: id } })}
        searchBox={{ label: 'Search models', hint: 'ID or name' }}
        empty={
          <EmptyState icon={<Boxes size={24} aria-hidden="true" />} title="No models yet">
            Import a catalog file to sell models.
          </EmptyState>
        }
      />
    </Page>
  )
}

const columns: readonly Column<CatalogueModel>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: ({ id }) => (
      <Link
        to="/operator/catalogue/model"
        search={{ model: id }}
        title={id}
        className="rounded font-medium hover:underline"
      >
        {id}
      </Link>
    ),
    csv: ({ id }) => id,
    onPhone: 'title',
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ state, priced }) =>
      state === 'listed' && !priced ? (
        <Badge tone="warn">No price</Badge>
      ) : (
        <Badge tone={state === 'listed' ? 'good' : 'neutral'}>{stateWords[state]}</Badge>
      ),
    csv: ({ state }) => state,
    width: 110,
    onPhone: 'figure',
  },
  { id: 'kind', header: 'Type', cell: ({ kind }) => kind, csv: ({ kind }) => kind, width: 120 },
  {
    id: 'providers',
    header: 'Providers',
    cell: ({ providers }) => <span title={providers.join(', ')}>{providers.join(', ')}</span>,
    csv: ({ providers }) => providers.join(' '),
  },
  {
    id: 'price',
    header: 'Price (USD)',
    cell: ({ prices }) => <span title={quotedInShort(prices)}>{quotedInShort(prices)}</span>,
    csv: ({ prices }) => quotedInShort(prices),
    width: 380,
  },
]
