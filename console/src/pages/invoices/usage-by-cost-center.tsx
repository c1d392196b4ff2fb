import type { Snapshot } from '../../api/billing.ts'
import { Money } from '../../ui/money.tsx'
import { QuoteRow } from '../credits/quote-lines.tsx'

/**
 * The usage that an invoice adds up, to the nano-dollar. The invoice bills cents and carries the rest to the next
 * month.
 */
export function UsageByCostCenter({
  of: { usage, balance_usd: before, carried_usd: carried },
}: {
  readonly of: Snapshot
}) {
  if (usage === undefined) return null
  return (
    <section aria-labelledby="invoice-usage">
      <h3 id="invoice-usage" className="mb-1 font-semibold">
        Usage by cost center
      </h3>
      <dl className="figures">
        {usage.map(({ cost_center: name, usd }) => (
          <QuoteRow key={name ?? ''} label={name ?? 'No cost center'}>
            <Money usd={usd} />
          </QuoteRow>
        ))}
        {before === undefined ? null : (
          <QuoteRow label="Previous balance">
            <Money usd={before} />
          </QuoteRow>
        )}
        {carried === undefined ? null : (
          <QuoteRow label="Carried over to next invoice">
            <Money usd={carried} />
          </QuoteRow>
        )}
      </dl>
    </section>
  )
}
