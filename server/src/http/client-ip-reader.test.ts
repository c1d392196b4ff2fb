import { expect, it } from 'vitest'
import { createClientIpReader } from './client-ip-reader.ts'

const read = createClientIpReader({ proxies: ['10.0.0.0/8'], clientIpHeader: 'x-client' })
const from = (remoteAddress: string, headers: Record<string, string | string[]> = {}) =>
  read({ headers, socket: { remoteAddress } })

it('takes the header of a proxy, and of nobody else', () => {
  expect(from('10.0.0.1', { 'x-client': '192.0.2.1' })).toBe('192.0.2.1')
  expect(from('198.51.100.1', { 'x-client': '192.0.2.1' })).toBe('198.51.100.1')
})

it('does not know an address that a proxy names twice or not at all', () => {
  expect(from('10.0.0.1', { 'x-client': ['192.0.2.1', '192.0.2.2'] })).toBeNull()
  expect(from('10.0.0.1', { 'x-real-ip': '192.0.2.1' })).toBeNull()
})
