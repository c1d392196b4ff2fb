import type { ReactNode } from 'react'
import { formatPrice } from '../../lib/price.ts'
import { Card } from '../../ui/page.tsx'
import type { Model } from '../../api/models.ts'
import { isFree, priceLabel, priceRows } from './price-rows.ts'

/** All prices of a model, as the API states them: base prices, tiers by length, and variants. */
export function ModelPrices({ model }: { readonly model: Model }) {
  const { pricing, pricing_tiers: tiers = [], pricing_variants: variants = [] } = model
  return (
    <Card title="Pricing" aside={<Summary model={model} />}>
      <table className="figures w-full text-sm">
        <tbody>
          {priceRows(pricing).map(({ id, label, unit, usd }) => (
            <Line key={id} label={label} usd={usd} unit={unit} />
          ))}
        </tbody>
      </table>
      {tiers.length === 0 ? null : (
        <Part title="Long-context pricing (applies to the whole request)">
          {tiers.map(({ above_prompt_tokens: above, prompt, completion }) => (
            <div key={String(above)} className="mb-1 flex flex-wrap justify-between gap-x-4">
              <span>Over {Number(above).toLocaleString('en')} input tokens</span>
              <span className="figures">
                {formatPrice(prompt)} input, {formatPrice(completion)} output{' '}
                <span className="text-muted">/ token</span>
              </span>
            </div>
          ))}
        </Part>
      )}
      {variants.length === 0 ? null : (
        <Part title="Price variants (the most specific match applies)">
          {variants.map(({ price, usd, when }) => (
            <div key={`${price} ${JSON.stringify(when)}`} className="mb-1 flex flex-wrap justify-between gap-x-4">
              <span>
                {priceLabel(price)} <span className="text-muted">({conditionOf(when)})</span>
              </span>
              <span className="figures">{formatPrice(usd)}</span>
            </div>
          ))}
        </Part>
      )}
    </Card>
  )
}

function Summary({ model }: { readonly model: Model }) {
  if (!model.priced) return <span className="text-muted text-xs">No price set. Requests are rejected.</span>
  return isFree(model.pricing) ? <span className="text-muted text-xs">Free</span> : null
}

function Line({ label, usd, unit }: { readonly label: string; readonly usd: string; readonly unit: string }) {
  return (
    <tr className="border-line border-b last:border-b-0">
      <th scope="row" className="py-1.5 text-left font-normal">
        {label}
      </th>
      <td className="py-1.5 text-right">{formatPrice(usd)}</td>
      <td className="w-28 py-1.5 pl-2 text-muted text-xs">/ {unit}</td>
    </tr>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="mt-4 text-sm">
      <h3 className="mb-1.5 font-medium text-muted text-xs">{title}</h3>
      {children}
    </div>
  )
}

function conditionOf(when: Readonly<Record<string, string>>): string {
  return Object.entries(when)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
