import { describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { changeSettings, hasOtherCap, type KeySettings, newKeySettings, settingsDifference } from './key-settings.ts'

const plain: KeySettings = {
  ...newKeySettings,
  enabled: true,
  limit: null,
  period: null,
  allowedCidrs: [],
  freeFallback: true,
}
const capped: KeySettings = { ...plain, limit: parseUsd('5'), period: 'month' }

describe('the settings of a key', () => {
  it('stay as they are where a change says nothing', () => {
    expect(changeSettings(capped, {})).toEqual(capped)
    expect(changeSettings(capped, { enabled: false })).toEqual({ ...capped, enabled: false })
    expect(changeSettings(capped, { limit: parseUsd('7') })).toEqual({ ...capped, limit: parseUsd('7') })
  })

  it('[KEY-12] lose the period with the limit', () => {
    expect(changeSettings(capped, { limit: null })).toEqual(plain)
    expect(changeSettings(capped, { limit: null, period: null })).toEqual(plain)
  })

  it('have no period without a limit', () => {
    expect(changeSettings(plain, { period: 'day' })).toBeUndefined()
    expect(changeSettings(capped, { limit: null, period: 'day' })).toBeUndefined()
    expect(changeSettings(plain, { period: null })).toEqual(plain)
    expect(changeSettings(capped, { period: null })).toEqual({ ...capped, period: null })
  })

  it('count their windows anew when limit or period is another', () => {
    expect(hasOtherCap(plain, capped)).toBe(true)
    expect(hasOtherCap(capped, { ...capped, period: 'day' })).toBe(true)
    expect(hasOtherCap(capped, { ...capped, limit: parseUsd('6') })).toBe(true)
    expect(hasOtherCap(capped, { ...capped, enabled: false, allowedCidrs: ['192.0.2.1'] })).toBe(false)
  })

  it('differ where a cap is set for the first time, or another field is changed', () => {
    expect(JSON.stringify(settingsDifference(plain, { ...capped, enabled: false, freeFallback: false }))).toBe(
      '{"before":{"enabled":true,"spendLimitUsd":null,"spendLimitPeriod":null,"freeFallback":true},' +
        '"after":{"enabled":false,"spendLimitUsd":5,"spendLimitPeriod":"month","freeFallback":false}}',
    )
  })

  it('differ field by field, with amounts to the last digit', () => {
    expect(settingsDifference(capped, { ...capped })).toBeNull()
    const after = { ...capped, limit: parseUsd('0.000000001'), allowedCidrs: ['192.0.2.1'] }
    expect(JSON.stringify(settingsDifference(capped, after))).toBe(
      '{"before":{"spendLimitUsd":5,"allowedCidrs":[]},"after":{"spendLimitUsd":0.000000001,"allowedCidrs":["192.0.2.1"]}}',
    )
  })
})
