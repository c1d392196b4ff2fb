import { createHmac } from 'node:crypto'
import { isNetwork } from '#config/is-network.ts'
import { parseStatedDate } from '#control/catalogue/parse-stated-date.ts'
import { coversAddress, parseCidr } from '#domain/access/cidr.ts'
import { clientIpOf } from '#domain/access/client-ip.ts'
import { clientNetwork } from '#domain/access/client-network.ts'
import { networkList } from '#domain/access/network-list.ts'
import { canonicalDomain } from '#domain/institutions/canonical-domain.ts'
import { parseMailAddress } from '#domain/institutions/parse-mail-address.ts'
import { formatUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { statedCost } from '#domain/money/stated-cost.ts'
import { formatUnitPrice, parseUnitPrice } from '#domain/money/unit-price.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { signWebhook } from '#domain/video/sign-webhook.ts'
import { parseRange, rangeHeaders } from '#http/byte-range.ts'
import { limitOf, momentOf, textOf } from '#http/request-values.ts'
import { csvLine } from '#lib/csv-line.ts'
import { parseIsoMoment } from '#lib/parse-iso-moment.ts'
import { parseSender } from '#lib/parse-sender.ts'
import { publicText } from '#lib/public-text.ts'
import { dateOf, parseDate } from '#lib/utc-calendar.ts'
import { readCredential } from '#pipeline/authenticate/authenticate.ts'
import { withTokens } from '#store/sign-in/session-secrets.ts'
import { ensure, ensureSame, unlessRefused } from '../engine/expect.ts'
import type { FuzzTarget } from '../target.ts'
import { readCsv } from './read-csv.ts'

const proxies = networkList(['10.0.0.0/8', 'fd00::/8'])

export const textTargets: readonly FuzzTarget[] = [
  target('byte-range', 120_000, (text) => {
    const [header = '', size = ''] = text.split('\n')
    const byteCount = Number(/^\d{1,15}$/.exec(size)?.[0] ?? 1_000)
    const range = parseRange(header, byteCount)
    if (range === null || range === 'unsatisfiable') return
    ensure(range.first >= 0 && range.first <= range.last && range.last < byteCount, 'a range lies inside the whole')
    ensure(Number(rangeHeaders(byteCount, range)['content-length']) <= byteCount, 'no part is longer than the whole')
  }),
  target('networks', 100_000, (text) => {
    const [entry = '', address = ''] = text.split('\n')
    const cidr = parseCidr(entry)
    if (cidr?.family === 4) ensureSame((cidr.base & cidr.mask) >>> 0, cidr.base, 'a block begins at its mask')
    const isCovered = coversAddress(entry, address)
    if (cidr !== undefined && isNetwork(entry)) {
      const byValue = networkList([entry]).covers(address)
      ensure(!isCovered || byValue, 'an entry covers nothing that its network does not')
    }
    const clientIp = clientIpOf({ peerAddress: '10.1.1.1', headerValue: text, edgeProxies: proxies })
    ensure(clientNetwork(clientIp).length <= Math.max(64, (clientIp ?? '').length), 'a network has a short name')
    ensure(!clientNetwork(clientIp).includes('NaN'), 'a network has a name without gaps')
  }),
  target('money', 120_000, (text) => {
    const amount = unlessRange(() => parseUsd(text))
    if (amount !== undefined) ensureSame(parseUsd(formatUsd(amount)), amount, 'an amount is read as it was written')
    const price = unlessRange(() => parseUnitPrice(text))
    if (price !== undefined) ensureSame(parseUnitPrice(formatUnitPrice(price)), price, 'a price is read as written')
    const number = Number(text)
    const usd = usdOf(number)
    if (usd !== undefined && Math.abs(number) < 1e6) {
      ensure(Math.abs(Number(formatUsd(usd)) - number) <= Math.abs(number) * 1e-15, 'a number keeps its value')
    }
    const cost = statedCost(number)
    if (cost !== undefined)
      ensure(cost >= 0 && cost >= number * 1e9 * (1 - 1e-12), 'a stated cost is never rounded down')
  }),
  target('dates', 120_000, (text) => {
    const moment = parseIsoMoment(text)
    if (moment !== undefined)
      ensureSame(parseIsoMoment(new Date(moment).toISOString()), moment, 'a moment is read again')
    const day = parseDate(text)
    if (day !== undefined) ensureSame(dateOf(day), text, 'a day is written as it was read')
    const [first, last] = [parseStatedDate(text, 'first'), parseStatedDate(text, 'last')]
    if (first !== undefined && last !== undefined) ensure(first <= last, 'a stated date does not end before it begins')
  }),
  // The head of a request has at most 16 KB.
  target(
    'query-values',
    60_000,
    (text) => {
      const query = Object.fromEntries(new URLSearchParams(text))
      for (const name of Object.keys(query).slice(0, 20)) {
        const value = unlessRefused(() => textOf(query, name))
        if (typeof value === 'string') ensure(value.length <= 200 && !value.includes('\0'), 'a text can be stored')
        unlessRefused(() => momentOf(query, name))
      }
      const limit = unlessRefused(() => limitOf(query, { fallback: 20, max: 100 }))
      if (limit !== undefined) ensure(Number.isInteger(limit) && limit >= 1 && limit <= 100, 'a page has a sane size')
    },
    16_384,
  ),
  target('credentials', 120_000, (text) => {
    const [authorization, apiKey] = text.split('\n')
    const secret = unlessRefused(() => readCredential({ authorization, apiKey }))
    if (secret !== undefined)
      ensure(secret.length <= 200 && text.includes(secret), 'a credential is short, and was sent')
  }),
  target('cookies', 80_000, (text) => {
    const headers = asHeaders(text)
    if (headers === undefined) return
    const secrets = new Map<string, string>()
    const cookie = withTokens(headers, 'weir_session', secrets).get('cookie') ?? ''
    ensure(cookie.length <= 400 * text.split(';').length + 12 * text.length, 'cookies grow by little')
    // A client may repeat the secret in a cookie of another name, which is relayed unchanged.
    const sessions = cookie.split('; ').filter((pair) => pair.startsWith('weir_session='))
    for (const secret of secrets.values()) {
      const isKept = sessions.some((pair) => pair.startsWith(`weir_session=${secret}`))
      if (secret.length > 20) ensure(!isKept, 'no session cookie hands its secret on')
    }
  }),
  target('mail-addresses', 100_000, (text) => {
    const address = parseMailAddress(text)
    if (address !== undefined) {
      ensure(/^[\x21-\x7e]+$/.test(address.mailbox) && address.mailbox.length <= 254, 'an address is plain')
      ensureSame(address.mailbox.split('@').length, 2, 'an address has one @')
      ensureSame(parseMailAddress(address.mailbox)?.identity, address.identity, 'an address means itself')
    }
    const domain = canonicalDomain(text)
    if (domain !== undefined) ensureSame(canonicalDomain(domain), domain, 'a canonical domain is its own')
    const sender = parseSender(text)
    if (sender !== null) ensure(!/[\r\n<>]/.test(sender.name + sender.address), 'a sender is one line')
  }),
  target('csv', 60_000, (text) => {
    // A table has few columns, however long its cells are.
    const cells = text.split('\n\n', 200)
    const line = csvLine(cells)
    const [read, ...more] = readCsv(line)
    ensureSame(more.length, 0, 'a line is one row')
    const unmarked = read?.map((cell, at) => (cell === cells[at] ? cell : cell.replace(/^'/, '')))
    ensureSame(unmarked, cells, 'cells are read as they were written')
    ensure(!read?.some((cell) => /^[=+\-@\t\r]/.test(cell)), 'no cell is a formula')
  }),
  target('webhook-signatures', 60_000, (text) => {
    const [id = '', secret = '', ...rest] = text.split('\n')
    const body = rest.join('\n')
    const headers = signWebhook({ id, body }, secret, 1_790_000_000_123)
    ensure(/^v1,[\w+/]{43}=$/.test(headers['webhook-signature'] ?? ''), 'a signature has its form')
    const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? ''
    const expected = createHmac('sha256', Buffer.from(key, 'base64'))
      .update(`${id}.1790000000.${body}`)
      .digest('base64')
    ensureSame(headers['webhook-signature'], `v1,${expected}`, 'a receiver computes the same')
  }),
  target('public-text', 100_000, (text) => {
    const [secret = '', ...rest] = text.split('\n')
    const shown = publicText(rest.join('\n'), [secret])
    ensure(shown.length <= 500 && !/[\r\n\0]/.test(shown), 'public words are one short line')
    if (/^[\w-]{12,}$/.test(secret)) ensure(!shown.includes(secret), 'no secret is shown')
    ensure(shown.isWellFormed() || !text.isWellFormed(), 'no character is cut in half')
  }),
]

function target(name: string, runs: number, run: (text: string) => void, bytesMax = 131_072): FuzzTarget {
  return { name, runs, bytesMax, run: (input) => run(input.toString('utf8')) }
}

/** Parsers of configured values throw a RangeError. */
function unlessRange<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError && /^not an? /.test(error.message)) return undefined
    throw error
  }
}

function asHeaders(cookie: string): Headers | undefined {
  try {
    return new Headers({ cookie })
  } catch {
    return undefined
  }
}
