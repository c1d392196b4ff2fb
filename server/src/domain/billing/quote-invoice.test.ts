import { expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { quoteInvoice } from './quote-invoice.ts'

it('[P18] an invoice costs what was used and its tax, in cents of US dollars, without a fee', () => {
  expect(quoteInvoice({ credit: parseUsd('12.34'), tax: parseUsd('2.35'), taxPercent: 19 })).toEqual({
    channel: 'usd',
    currency: 'usd',
    rate: null,
    quoted: { credit: 12_340_000_000n, fee: 0n, tax: 2_350_000_000n },
    charged: { credit: 1_234n, fee: 0n, tax: 235n, total: 1_469n },
    percents: { fee: 0, tax: 19 },
  })
})
