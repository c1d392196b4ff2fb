import { describe, expect, it } from 'vitest'
import { clientIpOf } from './client-ip.ts'
import { networkList } from './network-list.ts'

const edgeProxies = networkList(['192.0.2.10', '10.0.0.0/8', '2001:db8::10', 'fd00::/8'])

describe('[AUTH-16] the client address', () => {
  it('is the peer when no proxies are configured, whatever the header says', () => {
    const source = { peerAddress: '::ffff:203.0.113.7', headerValue: '198.51.100.1', edgeProxies: networkList([]) }
    expect(clientIpOf(source)).toBe('203.0.113.7')
  })

  it('is the peer when the header comes from anybody but a proxy', () => {
    expect(clientIpOf({ peerAddress: '203.0.113.7', headerValue: '198.51.100.1', edgeProxies })).toBe('203.0.113.7')
    expect(clientIpOf({ peerAddress: '2001:db8::11', headerValue: '198.51.100.1', edgeProxies })).toBe('2001:db8::11')
  })

  it.each(['192.0.2.10', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8::10', '2001:db8:0::10', 'fd12::1'])(
    'is the header from the proxy %s',
    (peer) => {
      expect(clientIpOf({ peerAddress: peer, headerValue: ' 198.51.100.1 ', edgeProxies })).toBe('198.51.100.1')
      expect(clientIpOf({ peerAddress: peer, headerValue: '2001:db8::77', edgeProxies })).toBe('2001:db8::77')
    },
  )

  it.each([undefined, '', 'unknown', '198.51.100.1, 203.0.113.7', '198.51.100.1:443'])(
    'is unknown behind a proxy whose header is %s',
    (headerValue) => {
      expect(clientIpOf({ peerAddress: '192.0.2.10', headerValue, edgeProxies })).toBeNull()
    },
  )

  it('is unknown once the socket has closed', () => {
    expect(clientIpOf({ peerAddress: undefined, headerValue: '198.51.100.1', edgeProxies })).toBeNull()
  })
})
