import { describe, expect, it } from 'vitest'
import { generationIdOf, parseAnyRequestId, publicRequestId } from './request-id.ts'

const uuid = '01234567-89ab-7cde-8f01-23456789abcd'
const hex = '0123456789ab7cde8f0123456789abcd'

describe('the id of a request', () => {
  it('is shown without dashes, and leads back to its generation', () => {
    expect(publicRequestId(uuid)).toBe(`req_${hex}`)
    expect(generationIdOf(`req_${hex}`)).toBe(uuid)
  })

  it.each([
    uuid,
    hex,
    `req_${hex}`,
    `gen-${uuid}`,
    `gen_${hex}`,
    `gen-${hex}`,
    hex.toUpperCase(),
    `REQ_${hex}`,
    '01234567-89ab7cde8f0123456789abcd',
    '0123456789ab-7cde8f0123456789abcd',
    '0123456789ab7cde-8f0123456789abcd',
    '0123456789ab7cde8f01-23456789abcd',
  ])('is read from %s', (text) => {
    expect(parseAnyRequestId(text)).toBe(uuid)
  })

  it.each([
    '',
    'req_',
    hex.slice(1),
    `${hex}0`,
    `x${hex}`,
    `req-${hex}`,
    `genx${hex}`,
    `req_gen_${hex}`,
    hex.replace('0', 'g'),
    `${uuid.slice(0, 8)}--${uuid.slice(9)}`,
    `${hex}\n`,
  ])('is not read from %j', (text) => {
    expect(parseAnyRequestId(text)).toBeUndefined()
  })
})
