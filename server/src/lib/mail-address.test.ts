import { describe, expect, it } from 'vitest'
import { isMailAddress } from './mail-address.ts'

describe('a mail address', () => {
  it.each(['ada@example.com', 'Ada.Lovelace+weir@mail.example.co.uk', "o'neill@example.ie"])('may be %s', (text) => {
    expect(isMailAddress(text)).toBe(true)
  })

  it.each([
    '',
    'ada',
    'ada@localhost',
    'ada@example.com,eve@example.net',
    'ada@example.com eve@example.net',
    'Ada <ada@example.com>',
    '<ada@evil.example>@example.com',
    '"ada@evil.example"@example.com',
    'ada(comment)@example.com',
    'ada@example.com\r\nBcc: eve@example.net',
    'ada@example.com\n',
    'ada@exämple.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(126)}example`,
  ])('is never %j', (text) => {
    expect(isMailAddress(text)).toBe(false)
  })
})
