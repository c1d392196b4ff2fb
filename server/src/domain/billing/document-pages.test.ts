import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { minor } from '../payments/currency.ts'
import { parseRate } from '../payments/exchange-rate.ts'
import { documentPolicy, htmlOf } from './document-html.ts'
import { layoutOf } from './document-layout.ts'
import { numberOf, seriesOf, yearOf } from './document-number.ts'
import { documentPdf } from './document-pdf.ts'
import { type SnapshotFacts, snapshotOf } from './document-snapshot.ts'

const facts: SnapshotFacts = {
  number: 'WEIR-2026-000042',
  kind: 'receipt',
  issuedAtMs: Date.UTC(2026, 10, 16),
  isTest: false,
  seller: { name: 'Weir Ltd', address: 'Street 1\nTown', taxId: 'S1', prefix: 'WEIR' },
  buyer: {
    name: `<script>alert("x")</script> & 'sons'`,
    address: '</td></style><img src=x onerror=alert(1)>',
    country: 'CN',
    taxId: { kind: 'cn_tin', id: '北京 (9) \\' },
    email: null,
  },
  currency: 'cny',
  rate: parseRate('7.25') ?? null,
  lines: [
    { item: 'credit', label: 'Credit', amount: minor(72_500n), amountUsd: parseUsd('100'), percent: null },
    { item: 'tax', label: 'Tax', amount: minor(3_625n), amountUsd: parseUsd('5'), percent: 5 },
  ],
  about: { order: { id: 'order-1' }, corrects: null },
}
const { text, sha256 } = snapshotOf(facts)

describe('[P15] a snapshot', () => {
  it('has null for a tax id and a rate that there are not', () => {
    const plain = snapshotOf({ ...facts, buyer: { ...facts.buyer, taxId: null }, currency: 'usd', rate: null })
    expect(JSON.parse(plain.text)).toMatchObject({
      currency: 'usd',
      rate: null,
      buyer: { country: 'CN', tax_id_kind: null, tax_id: null },
    })
    expect(JSON.parse(text)).toMatchObject({ rate: '7.25', buyer: { tax_id_kind: 'cn_tin', tax_id: '北京 (9) \\' } })
  })
})

describe('[P15] a number', () => {
  it('counts in a series and a year, in six digits or more', () => {
    expect(numberOf({ series: 'WEIR', year: 2026, serial: 42 })).toBe('WEIR-2026-000042')
    expect(numberOf({ series: 'WEIR', year: 2026, serial: 1_234_567 })).toBe('WEIR-2026-1234567')
    expect(seriesOf('WEIR', { isLive: true })).toBe('WEIR')
    expect(seriesOf('WEIR', { isLive: false })).toBe('TEST-WEIR')
    expect([yearOf(Date.UTC(2026, 11, 31, 23, 59)), yearOf(Date.UTC(2027, 0, 1))]).toEqual([2026, 2027])
  })
})

describe('[P15] a snapshot', () => {
  it('has exact amounts as texts, adds its lines up, and is hashed as it is stored', () => {
    expect(sha256).toBe(hash('sha256', text))
    expect(JSON.parse(text)).toMatchObject({
      total: '761.25',
      total_usd: '105',
      rate: '7.25',
      buyer: { tax_id_kind: 'cn_tin' },
      lines: [
        { amount: '725.00', amount_usd: '100', percent: null },
        { amount: '36.25', amount_usd: '5', percent: '5' },
      ],
    })
  })
})

describe('[P15] a page', () => {
  const html = htmlOf(layoutOf(text))

  it('escapes every text of a person, and has no script', () => {
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;sons&#39;')
    expect(html).toContain('&lt;/td&gt;&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toMatch(/<(?:script|img)/)
    expect(html.match(/<\/style>/g)).toHaveLength(1)
  })

  it('shows number, amounts, percentages and what was booked', () => {
    for (const shown of [
      'WEIR-2026-000042',
      '2026-11-16',
      '725.00',
      'Tax (5 %)',
      '761.25',
      'Booked as 105 USD at 7.25 CNY per USD.',
    ])
      expect(html).toContain(shown)
  })

  it('has a policy that allows its own style alone', () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? []
    expect(documentPolicy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`)
    expect(documentPolicy).toContain("default-src 'none'")
  })
})

describe('[P15] a PDF', () => {
  const pdf = documentPdf(layoutOf(text))

  it('is the same bytes for the same snapshot', () => {
    expect(documentPdf(layoutOf(text)).equals(pdf)).toBe(true)
    expect(documentPdf(layoutOf(text.replace('725.00', '725.01'))).equals(pdf)).toBe(false)
  })

  it('has a table of objects that leads to each of them, and streams of the length they say', () => {
    const file = pdf.toString('latin1')
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
    const table = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
    expect(table.length).toBeGreaterThan(7)
    table.forEach((offset, index) => expect(file.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`)))
    for (const [, length, content = ''] of file.matchAll(/\/Length (\d+) >>\nstream\n([^]*?)\nendstream/g))
      expect(content).toHaveLength(Number(length))
  })

  it('has all texts, in Latin and in other scripts', () => {
    const texts = textsIn(pdf)
    for (const shown of ['WEIR-2026-000042', '725.00', '761.25', 'Tax (5 %)', 'Weir Ltd'])
      expect(texts).toContain(shown)
    expect(texts.join('')).toContain('北京 (9) \\')
  })

  it('goes on on a second page where the lines are many', () => {
    const lines = Array.from({ length: 80 }, (_, index) => ({
      item: 'usage' as const,
      label: `Cost center ${index} ${'x'.repeat(100)}`,
      amount: minor(100n),
      amountUsd: parseUsd('1'),
      percent: null,
    }))
    const long = documentPdf(layoutOf(snapshotOf({ ...facts, lines }).text))
    expect(long.toString('latin1').match(/\/Type \/Page /g)?.length).toBeGreaterThan(2)
    expect(textsIn(long)).toContain('80.00')
  })
})

/** The strings that a PDF reader shows, from the Latin fonts and the font for other scripts. */
function textsIn(pdf: Buffer): string[] {
  const strings = pdf.toString('latin1').matchAll(/\/F(\d) \d+ Tf <([0-9a-f]*)> Tj/g)
  return [...strings].map(([, font, hex = '']) =>
    font === '3' ? Buffer.from(hex, 'hex').swap16().toString('utf16le') : Buffer.from(hex, 'hex').toString('latin1'),
  )
}
