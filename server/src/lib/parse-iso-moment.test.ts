import { describe, expect, it } from 'vitest'
import { parseIsoMoment } from './parse-iso-moment.ts'

describe('a moment in ISO 8601', () => {
  it.each([
    ['2027-01-31T12:30:00Z', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:00.123456Z', '2027-01-31T12:30:00.123Z'],
    ['2027-01-31T12:30', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:00+05:30', '2027-01-31T07:00:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(new Date(parseIsoMoment(text) ?? Number.NaN).toISOString()).toBe(moment)
  })

  it.each([
    '',
    'tomorrow',
    '2027',
    '2027-02-30',
    '2027-13-01',
    '2027-01-31T25:00Z',
    '2027-01-31T12:61:00Z',
    '2027-01-31 12:30',
    '31.1.2027',
    '+012027-01-31',
    '1800000000',
    'Sun, 31 Jan 2027 12:30:00 GMT',
    '2027-01-31T12:30:00Zx',
  ])('%s is none', (text) => {
    expect(parseIsoMoment(text)).toBeUndefined()
  })
})
