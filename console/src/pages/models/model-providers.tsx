import { useQuery } from '@tanstack/react-query'
import { formatPrice } from '../../lib/price.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatTokens } from './format-tokens.ts'
import { offersQuery } from '../../api/models.ts'
import { callPrice, isFree } from './price-rows.ts'

type Offer = Awaited<ReturnType<NonNullable<ReturnType<typeof offersQuery>['queryFn']>>>['endpoints'][number]

const columns: readonly Column<Offer>[] = [
  {
    id: 'provider',
    header: 'Provider',
    cell: ({ provider_name, tag }) => {
      const variant = tag.slice(provider_name.length + 1)
      if (variant === '') return <span className="font-medium">{provider_name}</span>
      return (
        <>
          <span className="font-medium">{provider_name}</span>{' '}
          <code className="font-mono text-muted text-xs">{variant}</code>
        </>
      )
    },
    csv: ({ tag }) => tag,
    sort: (one, other) => one.provider_name.localeCompare(other.provider_name),
    width: 280,
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ status }) => (Number(status) === 0 ? <Badge tone="good">Available</Badge> : <Badge>Not configured</Badge>),
    csv: ({ status }) => (Number(status) === 0 ? 'Available' : 'Not configured'),
    width: 150,
  },
  {
    id: 'price',
    header: 'Price per 1M tokens',
    cell: ({ pricing }) => priceWords(pricing),
    csv: ({ pricing }) => priceWords(pricing),
    align: 'right',
    width: 230,
  },
  {
    id: 'first',
    header: 'First token (p50 / p95)',
    cell: ({ latency_ms: time }) => measured(time, (ms) => `${(ms / 1_000).toFixed(2)} s`),
    csv: ({ latency_ms: time }) => (time === null ? '' : `${time.median} ${time.p95}`),
    sort: (one, other) => Number(one.latency_ms?.median) - Number(other.latency_ms?.median),
    hasNone: ({ latency_ms: time }) => time === null,
    align: 'right',
    width: 190,
  },
  {
    id: 'speed',
    header: 'Tokens/s (p50)',
    cell: ({ tokens_per_second: speed }) => (speed === null ? <TooFew /> : String(Math.round(Number(speed.median)))),
    csv: ({ tokens_per_second: speed }) => (speed === null ? '' : String(speed.median)),
    sort: (one, other) => Number(one.tokens_per_second?.median) - Number(other.tokens_per_second?.median),
    hasNone: ({ tokens_per_second: speed }) => speed === null,
    align: 'right',
    width: 180,
  },
  {
    id: 'context',
    header: 'Context',
    cell: ({ context_length }) => formatTokens(context_length),
    csv: ({ context_length }) => String(context_length ?? ''),
    align: 'right',
    width: 100,
  },
]

/** Providers of the model, with price and speed in the last five minutes. */
export function ModelProviders({ id }: { readonly id: string }) {
  const offers = useQuery(offersQuery(id))
  return (
    <div>
      <h2 className="mb-2 font-semibold text-sm">Providers</h2>
      <DataTable
        name="model-providers"
        label="Providers"
        columns={columns}
        rows={offers.data?.endpoints}
        rowId={({ tag }) => tag}
        error={offers.error}
        onRetry={() => void offers.refetch()}
        summary="Latency and throughput over the last 5 minutes"
        empty={
          <EmptyState title="No providers">
            Models under <code className="font-mono">test/</code> run inside the gateway. For other models, ask the
            gateway operator to add a provider.
          </EmptyState>
        }
      />
    </div>
  )
}

function priceWords(pricing: Offer['pricing']): string {
  const call = callPrice(pricing)
  if (isFree(pricing)) return 'Free'
  if (call !== undefined) return `${formatPrice(call.usd)} / ${call.unit}`
  return `${formatPrice(pricing.prompt)} input, ${formatPrice(pricing.completion)} output`
}

function measured(time: Offer['latency_ms'], words: (value: number) => string) {
  return time === null ? <TooFew /> : `${words(Number(time.median))} / ${words(Number(time.p95))}`
}

function TooFew() {
  return (
    <span title="Not enough requests in the last 5 minutes" className="text-muted">
      –
    </span>
  )
}
