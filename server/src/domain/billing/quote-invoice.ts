import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { minor, zeroMinor } from '../payments/currency.ts'
import { nanoPerCent } from '../payments/quote-top-up.ts'
import type { TopUp } from '../payments/top-up.ts'

/** The price of paying an invoice: its total in US dollars, without a fee. The wallet is credited with the usage. */
export function quoteInvoice({
  credit,
  tax,
  taxPercent,
}: {
  credit: NanoUsd
  tax: NanoUsd
  taxPercent: number
}): Pick<TopUp, 'channel' | 'currency' | 'rate' | 'quoted' | 'charged' | 'percents'> {
  const cents = { credit: minor(credit / nanoPerCent), fee: zeroMinor, tax: minor(tax / nanoPerCent) }
  return {
    channel: 'usd',
    currency: 'usd',
    rate: null,
    quoted: { credit, fee: zeroUsd, tax },
    charged: { ...cents, total: minor(cents.credit + cents.tax) },
    percents: { fee: 0, tax: taxPercent },
  }
}
