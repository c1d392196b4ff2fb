import { expect, it } from 'vitest'
import { domainOfAddress, parseDomain, verificationName } from './domain-name.ts'

it.each([
  ['example.com', 'example.com'],
  ['  Mail.Example.COM ', 'mail.example.com'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['3m.com', '3m.com'],
])('reads %j as a domain', (text, domain) => {
  expect(parseDomain(text)).toBe(domain)
})

it.each([
  'localhost',
  'example.com.',
  '.example.com',
  'exa mple.com',
  'example..com',
  '-a.example',
  'a-.example',
  '10.0.0.1',
  'bücher.example',
  'example.com/path',
  '*.example.com',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
  '',
])('refuses %j', (text) => {
  expect(parseDomain(text)).toBeNull()
})

it('takes the domain of an address from its last @', () => {
  expect(domainOfAddress('Ada@Example.com')).toBe('example.com')
  expect(domainOfAddress('ada@example.com@evil.example')).toBe('evil.example')
  expect(domainOfAddress('ada')).toBeNull()
})

it('names the TXT record below the domain', () => {
  expect(verificationName('example.com')).toBe('_weir-verification.example.com')
})
