import { expect, it } from 'vitest'
import { describeConfig } from './describe-config.ts'
import { listSettings } from './settings.ts'

const canary = 'canary-91c2'

it('names the value and the source of every setting, and no secret', () => {
  const env = {
    WEIR_SECRET: canary,
    WEIR_HTTP_PORT: '9',
    WEIR_POSTGRES_URL: `postgres://weir:${canary}@one,two/weir?password=${canary}&a=b`,
    WEIR_EVENTS_OTLP_HEADERS: `authorization: ${canary}`,
    WEIR_INIT_PROVIDER_KEY: canary,
    WEIR_PAYMENTS_EPAY_KEY: canary,
  }
  const described = describeConfig({ env, fileText: 'http:\n  port: 8\nlog:\n  level: warn\n' })
  const of = (wanted: string) => described.find(({ key }) => key === wanted)
  expect(described).toHaveLength(listSettings().length)
  expect(of('http.port')).toMatchObject({ variable: 'WEIR_HTTP_PORT', shown: '9', source: 'environment' })
  expect(of('log.level')).toMatchObject({ shown: 'warn', source: 'file' })
  expect(of('redis.prefix')).toMatchObject({ shown: 'weir:', source: 'default' })
  expect(of('secret')).toMatchObject({ shown: '(set, not shown)', source: 'environment' })
  expect(of('postgres.url')?.shown).toBe('postgres://weir:…@one,two/weir?password=…&a=b')
  expect(of('mail.url')?.shown).toBe('(none)')
  expect(JSON.stringify(described)).not.toContain(canary)
})

it('shows no secret setting', () => {
  const secret = listSettings().filter(({ isSecret }) => isSecret)
  const env = Object.fromEntries(secret.map(({ variable }) => [variable, canary]))
  expect(secret.length).toBeGreaterThan(5)
  expect(JSON.stringify(describeConfig({ env }))).not.toContain(canary)
})

it.each(listSettings().filter(({ key }) => /secret|password|token$|headers|(?:^|[a-z.])key$/i.test(key)))(
  '$key is secret, because its name says so',
  ({ isSecret }) => {
    expect(isSecret).toBe(true)
  },
)

it('says what is missing', () => {
  expect(describeConfig({ env: {} })[0]).toMatchObject({ key: 'secret', shown: '(missing)', source: 'default' })
})
