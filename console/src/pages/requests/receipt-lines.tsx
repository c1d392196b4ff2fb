import { classNames } from '../../lib/class-names.ts'
import { formatDecimal, multiply, parseDecimal } from '../../lib/decimal.ts'
import { formatUsd } from '../../lib/money.ts'
import { Time } from '../../ui/time.tsx'
import type { Receipt } from './receipt-query.ts'
import { recompute } from './recompute.ts'
import { itemInWords } from './words.ts'

const million = parseDecimal('1000000')
const count = new Intl.NumberFormat('en', { maximumFractionDigits: 6 })

/** Counted quantities times unit prices. The browser computes the sum. */
export function ReceiptLines({ receipt: { receipt } }: { readonly receipt: Receipt }) {
  if (receipt === null) return null
  const { lines, nano } = recompute(receipt.lines)
  return (
    <section aria-labelledby="receipt-lines">
      <h3 id="receipt-lines" className="mb-2 font-semibold text-sm">
        Line items
      </h3>
      <div
        tabIndex={0}
        role="group"
        aria-labelledby="receipt-lines"
        className="overflow-x-auto rounded-lg border border-line"
      >
        <table className="figures w-full min-w-[480px] text-sm">
          <thead>
            <tr className="border-line border-b text-muted text-xs">
              <Head>Item</Head>
              <Head isRight>Quantity</Head>
              <Head isRight>Unit price</Head>
              <Head isRight>Amount</Head>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ item, count: counted, unit_price_usd, amount }, index) => (
              // Lines have no id, and a receipt never changes, so the index is a stable key.
              <tr key={index} className="border-line border-b">
                <td className="px-3 py-2">{itemInWords(item)}</td>
                <td className="px-3 py-2 text-right">{count.format(Number(counted))}</td>
                <td className="whitespace-nowrap px-3 py-2 text-right">{priceInWords(item, unit_price_usd)}</td>
                <td className="whitespace-nowrap px-3 py-2 text-right">${formatDecimal(amount)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="bg-raised font-medium">
              <td colSpan={3} className="px-3 py-2">
                Total, recalculated in your browser and rounded up once to a nano-dollar
              </td>
              <td data-recomputed={String(nano)} className="whitespace-nowrap px-3 py-2 text-right">
                {formatUsd(nano)}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className="mt-2 text-muted text-xs">
        Price list <code className="break-all font-mono">{receipt.price_id}</code>
        {receipt.price_valid_from === null ? null : (
          <>
            {' '}
            valid from <Time iso={receipt.price_valid_from} absolute />
          </>
        )}
        .
      </p>
    </section>
  )
}

function Head({ isRight = false, children }: { readonly isRight?: boolean; readonly children: string }) {
  return (
    <th scope="col" className={classNames('px-3 py-2 font-medium', isRight ? 'text-right' : 'text-left')}>
      {children}
    </th>
  )
}

// Prices of tokens and characters are quoted per million, all others per unit.
const byMillion = /token|Input$|Output$|cache|per_character|per_pixel/i

function priceInWords(item: string, unitPrice: string): string {
  const price = parseDecimal(unitPrice)
  return byMillion.test(item) ? `$${formatDecimal(multiply(price, million))} / 1M` : `$${formatDecimal(price)}`
}
