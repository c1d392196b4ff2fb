import { expect, it } from 'vitest'
import { fieldsOfKey, keyChangeBody } from './key-change-body.ts'

const key = {
  name: 'laptop',
  limit: '5.000000001',
  limit_reset: 'daily',
  allowedCidrs: ['10.0.0.0/8'],
  cacheTtlSeconds: 600,
} as const
const settings = { ...key, allowedCidrs: [...key.allowedCidrs] }
const fields = fieldsOfKey(settings)
const free = { ...settings, limit: null, limit_reset: null, allowedCidrs: [], cacheTtlSeconds: null }

it('shows every digit of the limit', () => {
  expect(fields).toMatchObject({
    name: 'laptop',
    limit: '5.000000001',
    period: 'daily',
    networks: '10.0.0.0/8',
    cacheTime: '600',
  })
  expect(fieldsOfKey(free)).toMatchObject({ limit: '', period: '', networks: '', cacheTime: '' })
})

it.each([
  ['nothing', settings, {}, '{}'],
  ['nothing of a key without a limit', free, { limit: '', period: '', networks: '', cacheTime: '' }, '{}'],
  ['the same limit written otherwise', settings, { limit: ' 5.000000001 ' }, '{}'],
  ['a new limit, digit by digit', settings, { limit: '7.123456789' }, '{"limit":7.123456789}'],
  [
    'a limit where there was none',
    free,
    { limit: '1', period: 'weekly', networks: '', cacheTime: '' },
    '{"limit":1,"limit_reset":"weekly"}',
  ],
  ['no limit, which ends its period', settings, { limit: '' }, '{"limit":null,"limit_reset":null}'],
  ['another period', settings, { period: 'monthly' }, '{"limit_reset":"monthly"}'],
  ['a lifetime limit', settings, { period: '' }, '{"limit_reset":null}'],
  ['no cache', settings, { cacheTime: '0' }, '{"cacheTtlSeconds":0}'],
  ['the default cache', settings, { cacheTime: '' }, '{"cacheTtlSeconds":null}'],
  ['any network', settings, { networks: ' ' }, '{"allowedCidrs":[]}'],
  ['networks', settings, { networks: '10.0.0.0/8 ::1' }, '{"allowedCidrs":["10.0.0.0/8","::1"]}'],
])('sends %s', (_name, before, change, body) => {
  expect(JSON.stringify(keyChangeBody(before, { ...fields, ...change }))).toBe(body)
})
