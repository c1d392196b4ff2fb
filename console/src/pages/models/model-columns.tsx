import { Link } from '@tanstack/react-router'
import { formatPrice } from '../../lib/price.ts'
import { formatUtcDay } from '../../lib/time.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/column.ts'
import { AvailabilityBadge } from './availability-badge.tsx'
import { formatTokens } from './format-tokens.ts'
import { ModalityIcons } from './modality-icons.tsx'
import { comparePrices } from './model-search.ts'
import { TryLink } from './try-link.tsx'
import { type Model, modelPath } from '../../api/models.ts'
import { callPrice, isFree, isZero, priceInShort } from './price-rows.ts'

interface Comparing {
  readonly compared: readonly string[]
  readonly toggle: (id: string) => void
}

export function modelColumns({ compared, toggle }: Comparing): readonly Column<Model>[] {
  return [
    {
      id: 'compare',
      header: 'Compare',
      cell: ({ id }) => (
        <input
          type="checkbox"
          aria-label={`Compare ${id}`}
          checked={compared.includes(id)}
          onChange={() => toggle(id)}
          className="size-4 align-middle accent-accent"
        />
      ),
      width: 88,
    },
    ...facts,
  ]
}

const facts: readonly Column<Model>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: nameCell,
    csv: ({ id }) => id,
    sort: (one, other) => one.id.localeCompare(other.id),
    width: 273,
    onPhone: 'title',
  },
  {
    id: 'modalities',
    header: 'Modalities',
    cell: ({ architecture }) => <ModalityIcons {...architecture} />,
    csv: ({ modality }) => modality ?? '',
    width: 160,
  },
  {
    id: 'context',
    header: 'Context',
    cell: ({ context_length }) => formatTokens(context_length),
    csv: ({ context_length }) => String(context_length ?? ''),
    sort: (one, other) => Number(one.context_length) - Number(other.context_length),
    hasNone: ({ context_length }) => context_length === null,
    align: 'right',
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'input',
    header: 'Input / 1M',
    cell: (row) => tokenPrice(row, 'prompt'),
    csv: ({ pricing }) => pricing.prompt,
    sort: (one, other) => comparePrices(one.pricing.prompt, other.pricing.prompt),
    hasNone: (model) => hasNoTokenPrice(model, 'prompt'),
    align: 'right',
    width: 112,
  },
  {
    id: 'output',
    header: 'Output / 1M',
    cell: (row) => tokenPrice(row, 'completion'),
    csv: ({ pricing }) => pricing.completion,
    sort: (one, other) => comparePrices(one.pricing.completion, other.pricing.completion),
    hasNone: (model) => hasNoTokenPrice(model, 'completion'),
    align: 'right',
    width: 122,
  },
  {
    id: 'call',
    header: 'Unit price',
    cell: ({ pricing }) => callCell(pricing),
    csv: ({ pricing }) => callPrice(pricing)?.usd ?? '',
    align: 'right',
    width: 170,
  },
  {
    id: 'state',
    header: 'Status',
    cell: (model) => <AvailabilityBadge model={model} />,
    csv: ({ available }) => (available ? 'Available' : 'Unavailable'),
    width: 130,
    onPhone: 'figure',
  },
  {
    id: 'created',
    header: 'Released',
    cell: ({ created }) => (Number(created) === 0 ? dash : formatUtcDay(isoOf(created))),
    csv: ({ created }) => (Number(created) === 0 ? '' : formatUtcDay(isoOf(created))),
    sort: (one, other) => Number(one.created) - Number(other.created),
    hasNone: ({ created }) => Number(created) === 0,
    width: 120,
    isHidden: true,
  },
  { id: 'try', header: 'Try', cell: (model) => <TryLink model={model} />, align: 'right', width: 70 },
]

function nameCell(model: Model) {
  const { id } = model
  return (
    <>
      <span className="flex items-center gap-1">
        <Link
          to="/models/$author/$name"
          params={modelPath(id)}
          className="truncate font-mono text-xs hover:text-accent-strong hover:underline"
        >
          {id}
        </Link>
        <span className="contents max-sm:hidden">
          <CopyButton text={id} label={`Copy ${id}`} />
        </span>
      </span>
      {/* A card has no columns of prices. */}
      <span className="figures block truncate text-muted text-xs sm:hidden">{priceInShort(model)}</span>
    </>
  )
}

function tokenPrice(model: Model, kind: 'prompt' | 'completion') {
  return hasNoTokenPrice(model, kind) ? dash : formatPrice(model.pricing[kind])
}

/**
 * A token price of zero is worth showing only if the model is free. Otherwise it would mislead, because the model
 * charges for something else.
 */
function hasNoTokenPrice({ pricing, priced }: Model, kind: 'prompt' | 'completion'): boolean {
  return !priced || (isZero(pricing[kind]) && !isFree(pricing))
}

function callCell(pricing: Model['pricing']) {
  const price = callPrice(pricing)
  if (price === undefined) return dash
  return (
    <>
      {formatPrice(price.usd)} <span className="text-muted text-xs">/ {price.unit}</span>
    </>
  )
}

function isoOf(unixSeconds: Model['created']): string {
  return new Date(Number(unixSeconds) * 1_000).toISOString()
}

const dash = <span className="text-muted">–</span>
