import { describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { type BreakerSettings, breakerDefaults, breakerOf, resolveBreaker } from './breaker.ts'
import { breakerJson } from './breaker-json.ts'

const unset: BreakerSettings = { enabled: null, minute: null, hour: null }
const usd = parseUsd

describe('a spend breaker', () => {
  it('[BREAKER-04] is off until it is switched on, and then lets 5 USD a minute and 20 USD an hour pass', () => {
    expect(breakerDefaults).toEqual({ enabled: false, minute: 5_000_000_000n, hour: 20_000_000_000n })
    expect(resolveBreaker([])).toEqual({ enabled: false, minute: usd('5'), hour: usd('20') })
    expect(resolveBreaker([unset, unset])).toEqual({ enabled: false, minute: usd('5'), hour: usd('20') })
    expect(breakerOf([{ ...unset, enabled: true }])).toEqual({ minute: usd('5'), hour: usd('20') })
  })

  it('[BREAKER-05] takes each field from the narrowest layer that sets it', () => {
    const member = { ...unset, minute: usd('1') }
    const team = { enabled: null, minute: usd('2'), hour: usd('3') }
    const organization = { enabled: true, minute: usd('4'), hour: usd('6') }
    expect(resolveBreaker([member, team, organization])).toEqual({ enabled: true, minute: usd('1'), hour: usd('3') })
    expect(resolveBreaker([unset, unset, organization])).toEqual(organization)
    expect(resolveBreaker([{ ...unset, enabled: false }, organization])).toEqual({ ...organization, enabled: false })
  })

  it('leaves the defaults as they are, and the layers in their order', () => {
    const layers = [
      { ...unset, minute: usd('1') },
      { enabled: true, minute: usd('2'), hour: usd('2') },
    ]
    resolveBreaker(layers)
    expect(layers[0]).toEqual({ ...unset, minute: usd('1') })
    expect(breakerDefaults).toEqual({ enabled: false, minute: usd('5'), hour: usd('20') })
  })

  const wider = { enabled: true, minute: usd('4'), hour: usd('6') }
  it.each<[string, BreakerSettings, { minute: bigint; hour: bigint } | null]>([
    ['adds nothing where the layer sets nothing', unset, null],
    [
      'adds the inherited limits where it is switched on',
      { ...unset, enabled: true },
      { minute: usd('4'), hour: usd('6') },
    ],
    ['adds its own limit of a minute', { ...unset, minute: usd('1') }, { minute: usd('1'), hour: usd('6') }],
    ['adds its own limit of an hour', { ...unset, hour: usd('2') }, { minute: usd('4'), hour: usd('2') }],
    ['adds nothing where it is disabled', { ...unset, enabled: false, minute: usd('1') }, null],
  ])('%s', (_, own, limits) => {
    expect(breakerOf([own, wider])).toEqual(limits)
  })

  it('is written with what is not set as null, and amounts to the last digit', () => {
    expect(JSON.stringify(breakerJson(unset))).toBe('{"cbEnabled":null,"cbMinuteUsd":null,"cbHourlyUsd":null}')
    expect(JSON.stringify(breakerJson({ enabled: true, minute: usd('0.01'), hour: usd('0.000000001') }))).toBe(
      '{"cbEnabled":true,"cbMinuteUsd":0.01,"cbHourlyUsd":0.000000001}',
    )
  })
})
