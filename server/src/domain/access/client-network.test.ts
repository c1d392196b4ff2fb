import { expect, it } from 'vitest'
import { clientNeighbourhood, clientNetwork, clientSite } from './client-network.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  [null, 'unknown'],
])('[EDU-06] %s counts as %s', (clientIp, network) => {
  expect(clientNetwork(clientIp)).toBe(network)
})

it.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2ff:3:4:5:6', '2001:db8:1:200::/56', '2001:db8:1::/48'],
  ['2001:db8:1:201::1', '2001:db8:1:200::/56', '2001:db8:1::/48'],
  ['2001:db8:1:300::1', '2001:db8:1:300::/56', '2001:db8:1::/48'],
  ['::1', '0:0:0:0::/56', '0:0:0::/48'],
  [null, 'unknown', 'unknown'],
])('[B9] %s is at the site %s in the neighbourhood %s', (clientIp, site, neighbourhood) => {
  expect(clientSite(clientIp)).toBe(site)
  expect(clientNeighbourhood(clientIp)).toBe(neighbourhood)
})
