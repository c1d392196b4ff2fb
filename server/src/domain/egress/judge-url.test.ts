import { describe, expect, it } from 'vitest'
import { egressPolicy } from './egress-policy.ts'
import { judgeUrl } from './judge-url.ts'

const closed = egressPolicy([])
const opened = egressPolicy(['127.0.0.0/8', 'fd00::/8'])

describe('judgeUrl', () => {
  it.each([
    'https://api.openai.com/v1',
    'HTTPS://API.Example.COM./v1',
    'https://api.example.com:8443/v1?version=1',
    'https://8.8.8.8/v1',
    'https://[2606:4700::1111]/v1',
    'https://bücher.example/v1',
    'https://local.example.com/v1',
  ])('allows %s', (text) => {
    expect(judgeUrl(text, closed)).toMatchObject({ allowed: true })
  })

  it.each([
    'http://api.openai.com/v1',
    'ftp://api.openai.com/',
    'file:///etc/passwd',
    'https://user@api.openai.com/',
    'https://@api.openai.com/',
    'https:@api.openai.com/',
    'https://api.openai.com:0/',
    'https://api.openai.com:22/',
    'https://api.openai.com:6379/',
    'https://api.openai.com:65536/',
    'https://api.openai.com\\@127.0.0.1/',
    'https://api.open\tai.com/',
    ' https://api.openai.com/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://localhost../',
    'https://0.0../',
    'https://127.1../',
    'https://api.example.com../',
    'https://a.localhost/',
    'https://printer.local/',
    'https://intranet/',
    'https://metadata.google.internal/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://[::ffff:127.0.0.1]/',
    'https://',
    'not a url',
    `https://a.example/${'x'.repeat(2_048)}`,
  ])('refuses %j', (text) => {
    expect(judgeUrl(text, closed)).toMatchObject({ allowed: false })
  })

  it('lets an operator open networks, for plain HTTP to their addresses as well', () => {
    for (const text of [
      'http://127.0.0.1:8000/v1',
      'https://127.1/',
      'http://[fd00::1]/',
      'https://vllm.internal/v1',
    ]) {
      expect(judgeUrl(text, opened)).toMatchObject({ allowed: true })
    }
    for (const text of ['http://10.0.0.1/', 'https://10.0.0.1/', 'http://vllm.internal/', 'http://8.8.8.8/']) {
      expect(judgeUrl(text, opened)).toMatchObject({ allowed: false })
    }
    expect(judgeUrl('https://metadata.google.internal/', opened)).toMatchObject({ allowed: false })
  })
})
