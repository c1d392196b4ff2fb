import { expect, it } from 'vitest'
import { createReportUnknown } from './report-unknown.ts'

const candidate = { account: { vendor: 'groq' }, upstreamModel: 'm', billing: 'charged' } as const
const provider = 'groq'

function start() {
  const counted: object[] = []
  const logged: object[] = []
  const report = createReportUnknown({
    metrics: { unknownWords: { inc: (labels) => counted.push(labels) } },
    log: { warn: (details) => logged.push(details) },
  })
  return { report, counted, logged }
}

it('counts every word by provider and kind, and logs each once', () => {
  const { report, counted, logged } = start()
  report(candidate, 'usage', 'moon_tokens')
  report(candidate, 'usage', 'moon_tokens')
  report(candidate, 'block', 'moon_tokens')
  expect(counted).toEqual([
    { provider, kind: 'usage' },
    { provider, kind: 'usage' },
    { provider, kind: 'block' },
  ])
  expect(logged).toMatchObject([
    { provider, kind: 'usage', word: 'moon_tokens' },
    { provider, kind: 'block', word: 'moon_tokens' },
  ])
})

it('logs nothing that could break a line, and no more than a thousand words', () => {
  const { report, counted, logged } = start()
  report(candidate, 'usage', `a\nb "c" ${'d'.repeat(200)}`)
  expect(logged).toMatchObject([{ word: `a?b??c??${'d'.repeat(72)}` }])
  for (let n = 0; n < 2_000; n += 1) report(candidate, 'usage', `w${n}`)
  expect(logged).toHaveLength(1_000)
  expect(counted).toHaveLength(2_001)
})

it('logs no key that a provider writes in the place of a word', () => {
  const { report, logged } = start()
  report(candidate, 'finish_reason', `stopped by sk-ant-api03-${'x'.repeat(40)}`)
  expect(JSON.stringify(logged)).not.toContain('sk-ant')
})

it('does not count the words of an organization’s own host', () => {
  const { report, counted, logged } = start()
  report({ ...candidate, billing: 'own_key' }, 'usage', 'moon_tokens')
  expect([counted, logged]).toEqual([[], []])
})
