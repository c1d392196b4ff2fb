import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatPrice } from '../../lib/price.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { AvailabilityBadge } from './availability-badge.tsx'
import { formatTokens } from './format-tokens.ts'
import { ModalityIcons } from './modality-icons.tsx'
import { type Model, modelPath } from '../../api/models.ts'
import { type PriceRow, priceRows } from './price-rows.ts'

interface ComparisonProps {
  readonly models: readonly Model[]
  readonly onRemove: (id: string) => void
}

/** Up to four models side by side. Their ids are in the URL, so it can be shared. */
export function Comparison({ models, onRemove }: ComparisonProps) {
  const callable = models.filter(({ available }) => available).map(({ id }) => id)
  const tryThem =
    callable.length === 0 ? undefined : (
      <Link to="/playground" search={{ models: callable.join(',') }} className={buttonClass('plain', 'small')}>
        Compare in playground
      </Link>
    )
  return (
    <Card title="Compare models" aside={tryThem} className="mb-5">
      <div tabIndex={0} role="region" aria-label="Model comparison" className="overflow-x-auto">
        <table className="w-full min-w-160 table-fixed text-sm">
          <thead>
            <tr className="border-line border-b">
              <td className="w-44" />
              {models.map(({ id }) => (
                <th key={id} scope="col" className="py-1 pr-3 text-left font-medium">
                  <span className="flex items-center gap-1">
                    <Link
                      to="/models/$author/$name"
                      params={modelPath(id)}
                      className="truncate font-mono text-xs hover:underline"
                    >
                      {id}
                    </Link>
                    <IconButton label={`Remove ${id}`} className="size-6" onClick={() => onRemove(id)}>
                      <X size={13} aria-hidden="true" />
                    </IconButton>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Row label="Status" cells={models.map((model) => <AvailabilityBadge key={model.id} model={model} />)} />
            <Row
              label="Modalities"
              cells={models.map(({ id, architecture }) => <ModalityIcons key={id} {...architecture} />)}
            />
            <Row label="Context" cells={models.map(({ context_length }) => formatTokens(context_length))} />
            <Row
              label="Max output"
              cells={models.map(({ top_provider }) => formatTokens(top_provider.max_completion_tokens ?? null))}
            />
            {pricesOf(models).map(({ id, label, unit }) => (
              <Row
                key={id}
                label={label}
                unit={unit}
                cells={models.map(({ pricing }) => {
                  const price = pricing[id]
                  return price === undefined ? '–' : formatPrice(price)
                })}
              />
            ))}
            <Row
              label="Tool calling"
              cells={models.map(({ supported_parameters = [] }) =>
                supported_parameters.includes('tools') ? 'Yes' : 'No',
              )}
            />
            <Row label="Knowledge cutoff" cells={models.map(({ knowledge_cutoff }) => knowledge_cutoff ?? '–')} />
          </tbody>
        </table>
      </div>
    </Card>
  )
}

/** Prices that at least one model has, in the order of the model page. */
function pricesOf(models: readonly Model[]): readonly PriceRow[] {
  const rows = models.flatMap(({ pricing }) => priceRows(pricing))
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

function Row({
  label,
  unit,
  cells,
}: {
  readonly label: string
  readonly unit?: string
  readonly cells: readonly ReactNode[]
}) {
  return (
    <tr className="border-line border-b last:border-b-0">
      <th scope="row" className="py-1.5 pr-3 text-left font-normal text-muted">
        {label}
        {unit === undefined ? null : <span className="block text-xs">per {unit}</span>}
      </th>
      {cells.map((cell, index) => (
        // The cells are in the order of the models above.
        <td key={index} className="figures py-1.5 pr-3">
          {cell}
        </td>
      ))}
    </tr>
  )
}
