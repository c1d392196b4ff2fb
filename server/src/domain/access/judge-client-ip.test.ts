import { describe, expect, it } from 'vitest'
import { parseCidr } from './cidr.ts'
import { judgeClientIp } from './judge-client-ip.ts'

describe('the allow-list of a key', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.77/24', '203.0.113.1', true],
    // Each of these addresses differs from the block in one bit of its prefix.
    ['203.0.113.0/24', '203.0.112.0', false],
    ['203.0.113.0/24', '203.0.115.7', false],
    ['203.0.113.0/24', '203.1.113.7', false],
    ['203.0.113.0/24', '75.0.113.7', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '138.0.0.0', false],
    ['192.168.128.0/20', '192.168.143.255', true],
    ['192.168.128.0/20', '192.168.144.0', false],
    ['192.168.128.0/20', '192.168.192.0', false],
    ['10.0.0.4/30', '10.0.0.7', true],
    ['10.0.0.4/30', '10.0.0.8', false],
    ['128.0.0.0/1', '255.255.255.255', true],
    ['128.0.0.0/1', '127.255.255.255', false],
    ['10.0.0.0/31', '10.0.0.1', true],
    ['10.0.0.0/31', '10.0.0.2', false],
    ['203.0.113.7/32', '203.0.113.7', true],
    ['203.0.113.7/32', '203.0.113.6', false],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
  ])('[AUTH-11] [AUTH-13] %s and %s: %s', (entry, clientIp, expected) => {
    expect(judgeClientIp([entry], clientIp)).toBe(expected)
  })

  it('[AUTH-13] an IPv4 peer of a dual-stack socket counts as IPv4', () => {
    expect(judgeClientIp(['203.0.113.0/24'], '::ffff:203.0.113.7')).toBe(true)
    expect(judgeClientIp(['203.0.113.0/24'], '::FFFF:203.0.114.7')).toBe(false)
    expect(judgeClientIp(['::ffff:203.0.113.7'], '203.0.113.7')).toBe(true)
    expect(judgeClientIp(['203.110.113.0/24'], '::ffff:203.110.113.77')).toBe(true)
    expect(judgeClientIp(['3.1.1.0/24'], '::ffff:3.1.1.255')).toBe(true)
  })

  it('[AUTH-14] an IPv6 address matches as it is spelt', () => {
    expect(judgeClientIp(['2001:db8::1'], '2001:db8::1')).toBe(true)
    expect(judgeClientIp(['2001:db8::1'], '2001:db8:0:0:0:0:0:1')).toBe(false)
    expect(judgeClientIp(['2001:db8::1'], '2001:DB8::1')).toBe(false)
  })

  it('[AUTH-15] admits everybody when empty, and nobody without an address when not', () => {
    expect(judgeClientIp([], null)).toBe(true)
    expect(judgeClientIp([], '203.0.113.7')).toBe(true)
    expect(judgeClientIp(['0.0.0.0/0'], null)).toBe(false)
  })

  it('[AUTH-11] admits an address that any entry covers', () => {
    expect(judgeClientIp(['10.0.0.0/8', '2001:db8::1', '203.0.113.7'], '203.0.113.7')).toBe(true)
  })

  it.each([
    '',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.07',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/08',
    '203.0.113.7/',
    '203.0.113.0/24/24',
    ' 203.0.113.7',
    '203.0.113.7x',
    '203.0.113.7.9',
    '1203.0.113.7',
    'x::ffff:203.0.113.7',
    '::ffff:203.0.113.7x',
    '::ffff:203.0.113.256',
    '203.0.113.7/320',
    '203.0.113.7/x8',
    '203.0.113.7/40',
    '2001:db8::/32',
    'localhost',
    '*',
  ])('[AUTH-13] [AUTH-14] refuses the entry "%s", which covers nobody', (entry) => {
    expect(parseCidr(entry)).toBeUndefined()
    expect(judgeClientIp([entry], '203.0.113.7')).toBe(false)
  })
})
