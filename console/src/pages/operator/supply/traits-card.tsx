import type { Provider } from '../../../api/supply.ts'
import { Card } from '../../../ui/page.tsx'

const labels: Readonly<Record<string, string>> = {
  leaveOut: 'Omitted fields',
  send: 'Sent fields',
  thinking: 'Reasoning parameter',
  efforts: 'Reasoning efforts',
  outputCap: 'Output limit field',
  thoughts: 'Earlier reasoning',
  sampling: 'Sampling',
  canRest: 'Reasoning can be off',
  canBeForced: 'Tool calls can be required',
  aspectRatios: 'Aspect ratios',
  sizes: 'Sizes',
  durations: 'Durations (seconds)',
}

/** The operator's corrections of what the gateway knows about the provider. */
export function TraitsCard({ provider: { name, overrides } }: { readonly provider: Provider }) {
  return (
    <Card title="Traits" description="Where this account differs from the gateway's built-in traits of the provider.">
      {overrides.length === 0 ? (
        <p className="text-muted text-sm">
          None. Change them with <code className="font-mono text-xs">weir provider override {name}</code>.
        </p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {overrides.map(({ model, ...traits }) => (
            <li key={model ?? ''}>
              <p className="font-medium">{model ?? 'All models'}</p>
              <dl className="mt-1 flex flex-col gap-1">
                {Object.entries(traits).map(([trait, value]) => (
                  <div key={trait} className="flex flex-wrap gap-x-3">
                    <dt className="w-40 text-muted">{labels[trait] ?? trait}</dt>
                    <dd className="min-w-0 flex-1 break-words">{traitWords(value)}</dd>
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function traitWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([field, place]) => (field === place ? field : `${field} as ${String(place)}`))
    .join(', ')
}
