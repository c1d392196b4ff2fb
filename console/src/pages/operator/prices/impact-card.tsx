import type { PricePlan } from '../../../api/price-plans.ts'
import { plural } from '../../../lib/plural.ts'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'
import { CustomerLink } from '../customer-link.tsx'

/** Who used the prices that change, and what the same requests would cost. */
export function ImpactCard({ plan: { impact, customers } }: { readonly plan: PricePlan }) {
  if (impact.length === 0) {
    return (
      <Card title="Effect on customers">
        <p className="text-muted text-sm">No request of the last 30 days used a price that changes.</p>
      </Card>
    )
  }
  return (
    <Card title="Effect on customers" description="Requests of the last 30 days at prices that change.">
      <table className="figures w-full text-sm">
        <thead>
          <tr className="text-left text-muted text-xs">
            <th className="py-1 font-normal">Model and provider</th>
            <th className="py-1 pl-3 text-right font-normal">Requests</th>
            <th className="py-1 pl-3 text-right font-normal">Charged</th>
            <th className="py-1 pl-3 text-right font-normal">At new prices</th>
          </tr>
        </thead>
        <tbody>
          {impact.map(({ model, provider, requests, charged, would_be: wouldBe }) => (
            <tr key={`${model} ${provider}`} className="border-line border-t">
              <td className="break-words py-1.5">
                {model} <span className="text-muted">{provider}</span>
              </td>
              <td className="py-1.5 pl-3 text-right">{Number(requests).toLocaleString('en')}</td>
              <td className="py-1.5 pl-3 text-right">
                <Money usd={charged} />
              </td>
              <td className="py-1.5 pl-3 text-right">
                {wouldBe === null ? <span className="text-bad">Rejected</span> : <Money usd={wouldBe} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3 className="mt-5 mb-1 font-semibold text-sm">Customers</h3>
      <ul className="flex flex-col text-sm">
        {customers.map(({ wallet_id: id, customer, requests, charged }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 border-line border-t py-1.5">
            <span className="min-w-0 flex-1">
              <CustomerLink customer={customer} />
            </span>
            <span className="figures text-muted">{plural(Number(requests), 'request')}</span>
            <Money usd={charged} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
