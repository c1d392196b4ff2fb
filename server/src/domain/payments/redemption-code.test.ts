import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatRedemptionCode, hashRedemptionCode, parseRedemptionCode } from './redemption-code.ts'

describe('a redemption code', () => {
  it('P14 has 128 bits, and is read back from what people type', () => {
    for (const bytes of [
      Buffer.alloc(16),
      Buffer.alloc(16, 0xff),
      ...Array.from({ length: 200 }, () => randomBytes(16)),
    ]) {
      const code = formatRedemptionCode(bytes)
      expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{6}$/)
      expect(parseRedemptionCode(code)).toEqual(bytes)
      expect(parseRedemptionCode(` ${code.toLowerCase().replaceAll('-', ' ')}\n`)).toEqual(bytes)
    }
  })

  it('takes letters that look like digits for the digits', () => {
    const bytes = Buffer.alloc(16)
    bytes[15] = 1
    expect(formatRedemptionCode(bytes)).toBe('00000-00000-00000-00000-000001')
    for (const typed of ['OoOo0-00000-00000-00000-00000I', 'OOOOO-ooooo-00000–00000-00000l']) {
      expect(parseRedemptionCode(typed), typed).toEqual(bytes)
    }
  })

  it.each([
    '',
    'code',
    '0'.repeat(25),
    '0'.repeat(27),
    `8${'0'.repeat(25)}`,
    `U${'0'.repeat(25)}`,
    `1U${'0'.repeat(24)}`,
    '\0'.repeat(26),
    '0 '.repeat(60),
  ])('is none: %j', (text) => {
    expect(parseRedemptionCode(text)).toBeUndefined()
  })

  it('has 26 digits among at most a hundred characters', () => {
    const digits = '0'.repeat(26)
    expect(parseRedemptionCode(digits.padEnd(100))).toEqual(Buffer.alloc(16))
    expect(parseRedemptionCode(digits.padEnd(101))).toBeUndefined()
  })

  it('is made of 16 bytes, and of no others', () => {
    for (const make of [formatRedemptionCode, hashRedemptionCode]) {
      expect(() => make(Buffer.alloc(15))).toThrow('a code is made of 16 random bytes')
    }
  })

  it('is stored as its SHA-256', () => {
    const stored = hashRedemptionCode(Buffer.alloc(16)).toString('hex')
    expect(stored).toBe('374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb')
  })
})
