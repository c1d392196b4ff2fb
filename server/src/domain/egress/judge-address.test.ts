import { describe, expect, it } from 'vitest'
import { judgeAddress } from './judge-address.ts'

/** The first and last address of each block, and the public addresses next to it. */
const edges: readonly { within: readonly string[]; outside: readonly string[] }[] = [
  { within: ['0.0.0.0', '0.255.255.255'], outside: ['1.0.0.0'] },
  { within: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  { within: ['100.64.0.0', '100.127.255.255', '100.100.100.200'], outside: ['100.63.255.255', '100.128.0.0'] },
  { within: ['127.0.0.0', '127.255.255.255'], outside: ['126.255.255.255', '128.0.0.0'] },
  { within: ['168.63.129.16'], outside: ['168.63.129.15', '168.63.129.17'] },
  { within: ['169.254.0.0', '169.254.169.254', '169.254.255.255'], outside: ['169.253.255.255', '169.255.0.0'] },
  { within: ['172.16.0.0', '172.31.255.255'], outside: ['172.15.255.255', '172.32.0.0'] },
  {
    within: ['192.0.0.0', '192.0.0.192', '192.0.0.255', '192.0.2.0', '192.0.2.255'],
    outside: ['192.0.1.0', '192.0.3.0'],
  },
  { within: ['192.88.99.1'], outside: ['192.88.98.255', '192.88.100.0'] },
  { within: ['192.168.0.0', '192.168.255.255'], outside: ['192.167.255.255', '192.169.0.0'] },
  { within: ['198.18.0.0', '198.19.255.255'], outside: ['198.17.255.255', '198.20.0.0'] },
  {
    within: ['198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
    outside: ['198.51.99.255', '203.0.114.0'],
  },
  { within: ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'], outside: ['223.255.255.255'] },
  { within: ['::', '::1', '::7f00:1', '::808:808', '::ffff:7f00:1', '::ffff:127.0.0.1'], outside: [] },
  { within: ['::ffff:8.8.8.8', '::ffff:808:808', '::ffff:0:808:808'], outside: [] },
  {
    within: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::', '64:ff9b::a9fe:a9fe'],
    outside: ['64:ff9b::808:808'],
  },
  { within: ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:808:808', '64:ff9a::1', '64:ff9b:0:1::1'], outside: [] },
  { within: ['2001::', '2001:0:808:808::1', '2001:1ff:ffff:ffff::1'], outside: ['2001:200::', '2001:4860:4860::8888'] },
  { within: ['2001:db8::', '2001:db8:ffff:ffff::1'], outside: ['2001:db7:ffff::1', '2001:db9::'] },
  { within: ['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff::'], outside: ['2003::', '2001:ffff::'] },
  {
    within: ['3fff::', '3fff:fff:ffff::1', '4000::', '1fff::1', '100::1', '5f00::1'],
    outside: ['3fff:1000::', '2606:4700::1111'],
  },
  {
    within: ['fc00::', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'feff::1', 'ff02::1'],
    outside: [],
  },
  {
    within: ['fe80::1%eth0', '', 'localhost', '127.1', '0x7f000001', '01.02.03.04', '1.2.3.4/8', '[::1]'],
    outside: [],
  },
]

describe('judgeAddress', () => {
  it.each(edges)('keeps $within apart from $outside', ({ within, outside }) => {
    for (const address of within) expect({ address, ...judgeAddress(address) }).toMatchObject({ public: false })
    for (const address of outside) expect({ address, ...judgeAddress(address) }).toMatchObject({ public: true })
  })
})
