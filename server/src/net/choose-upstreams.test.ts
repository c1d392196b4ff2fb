import { expect, it } from 'vitest'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { chooseUpstreams } from './choose-upstreams.ts'

const request: UpstreamRequest = {
  origin: 'https://upstream.example',
  path: '/',
  headers: {},
  body: '',
  headersTimeoutMs: 1,
  bodyTimeoutMs: 1,
  connectTimeoutMs: 1,
}
const exchange: UpstreamExchange = { pause: () => {}, resume: () => {}, abort: () => {} }
const handler: UpstreamHandler = { headers: () => {}, data: () => {}, end: () => {}, failed: () => {} }

it.each([
  { what: "the operator's hosts", change: {}, way: 'network' },
  { what: 'test models', change: { origin: 'http://played.invalid' }, way: 'played' },
  { what: "an organization's own key", change: { pool: 'key 1' }, way: 'guarded' },
  {
    what: 'an own key that names the test models',
    change: { pool: 'key 1', origin: 'http://played.invalid' },
    way: 'guarded',
  },
])('$what are asked by the way "$way"', ({ change, way }) => {
  const opened: string[] = []
  const named = (name: string): Upstreams => ({
    open: (asked, heard) => {
      expect(asked).toEqual({ ...request, ...change })
      expect(heard).toBe(handler)
      opened.push(name)
      return exchange
    },
  })
  const upstreams = chooseUpstreams({ network: named('network'), guarded: named('guarded'), played: named('played') })
  expect(upstreams.open({ ...request, ...change }, handler)).toBe(exchange)
  expect(opened).toEqual([way])
})
