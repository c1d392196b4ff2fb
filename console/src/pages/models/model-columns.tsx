import { Link } from '@tanstack/react-router'
import { formatPrice } from '../../lib/price.ts'
import { formatUtcDay } from '../../lib/time.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Column } from '../../ui/column.ts'
import { AvailabilityBadge } from './availability-badge.tsx'
import { formatTokens } from './format-tokens.ts'
import { ModalityIcons } from './modality-icons.tsx'
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
  { id: 'model', header: 'Model', cell: nameCell, csv: ({ id }) => id, width: 273, phoneWidth: 264 },
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
    align: 'right',
    width: 92,
    phoneWidth: 92,
  },
  {
    id: 'input',
    header: 'Input / 1M',
    cell: (row) => tokenPrice(row, 'prompt'),
    csv: ({ pricing }) => pricing.prompt,
    align: 'right',
    width: 96,
  },
  {
    id: 'output',
    header: 'Output / 1M',
    cell: (row) => tokenPrice(row, 'completion'),
    csv: ({ pricing }) => pricing.completion,
    align: 'right',
    width: 108,
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
  },
  {
    id: 'created',
    header: 'Released',
    cell: ({ created }) => (Number(created) === 0 ? dash : formatUtcDay(isoOf(created))),
    csv: ({ created }) => (Number(created) === 0 ? '' : formatUtcDay(isoOf(created))),
    width: 120,
    isHidden: true,
  },
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
      {/* On phones, the columns of prices are out of sight. */}
      <span className="figures block truncate text-muted text-xs sm:hidden">{priceInShort(model)}</span>
    </>
  )
}

function tokenPrice({ pricing, priced }: Model, kind: 'prompt' | 'completion') {
  if (!priced) return dash
  // A token price of zero is worth showing only if the model is free. Otherwise it would mislead, because the model
  // charges for something else.
  return isZero(pricing[kind]) && !isFree(pricing) ? dash : formatPrice(pricing[kind])
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
