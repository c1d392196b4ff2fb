import { expect, it } from 'vitest'
import { emptyKey, keyPlaceBody, newKeyBody } from './new-key-body.ts'

it('leaves out what was left empty', () => {
  expect(newKeyBody({ ...emptyKey, name: ' laptop ' }, 0)).toEqual({ name: 'laptop' })
})

it('sends the limit digit by digit as it was typed', () => {
  const body = newKeyBody({ ...emptyKey, name: 'a', limit: '12345678.123456789', period: 'weekly' }, 0)
  expect(JSON.stringify(body)).toBe('{"name":"a","limit":12345678.123456789,"limit_reset":"weekly"}')
})

it('reads networks apart by commas, spaces and lines, and counts days from now', () => {
  const body = newKeyBody(
    { ...emptyKey, name: 'a', kind: 'management', days: '7', networks: '10.0.0.0/8, 192.0.2.1\n::1 ' },
    0,
  )
  expect(body).toEqual({
    name: 'a',
    keyType: 'management',
    expires_at: '1970-01-08T00:00:00.000Z',
    allowedCidrs: ['10.0.0.0/8', '192.0.2.1', '::1'],
  })
})

it.each([
  ['standard', 'member', { memberId: 'x' }],
  ['standard', 'team', { teamId: 'x' }],
  ['standard', 'shared', { shared: true }],
  ['management', 'member', {}],
  ['management', 'team', {}],
  ['management', 'shared', {}],
] as const)('places a %s key that belongs to %s', (kind, belongsTo, body) => {
  expect(keyPlaceBody({ kind, belongsTo, owner: { value: 'x', label: 'X' } })).toEqual(body)
})
