import { expect, it } from 'vitest'
import { moderationTestPhrase } from '#domain/moderation/policies.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { Evidence } from '#ports/moderation.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { createBuiltInModeration } from './built-in-moderation.ts'
import { createGuard } from './guard.ts'
import { createContentModeration } from './moderate-content.ts'

/** A guard over an engine with scripted findings, and a record of its effects. */
function makeGuard(inspect: FilterEngine['inspect'], whenDown: 'allow' | 'refuse' = 'refuse') {
  const done: string[] = []
  const kept: Evidence[] = []
  const guard = createGuard({
    sessionQuotas: {
      takeRequest: async () => {
        done.push('counted')
        return { allowed: true }
      },
    },
    filterContent: async ({ call }) => {
      done.push('filtered')
      return call
    },
    moderateContent: createContentModeration({
      moderation: createBuiltInModeration({
        inspect: (request) => {
          done.push('inspected')
          return inspect(request)
        },
      }),
      whenDown,
      evidence: { keep: async (evidence) => void kept.push(evidence) },
      evidenceDays: 1,
      onBlocked: () => void done.push('blocked'),
      onDown: () => void done.push('down'),
      onLost: () => {},
    }),
  })
  const { arrival, plan } = testTicket()
  const principal = makePrincipal({
    keyType: 'institution',
    organizationId: '01890000-0000-7000-8000-000000000001',
    institutionSession: {
      id: '01890000-0000-7000-8000-000000000002',
      personId: 'person',
      spendQuota: null,
      personMonthQuota: null,
      hasCountedQuota: true,
    },
  })
  const ask = (content: string) => {
    const call = { ...plan.call, body: { messages: [{ role: 'user', content }] } }
    return guard({ arrival: { ...arrival, access: 'models.chat' }, principal, call, wanted: wantedModel })
  }
  return { ask, done, kept }
}

const finds =
  (timedOut: boolean): FilterEngine['inspect'] =>
  async ({ rules, texts }) => ({
    texts,
    hits: rules.slice(0, 1).map(({ id, action }) => ({
      ruleId: id,
      action,
      isInjection: false,
      matches: timedOut ? [] : [{ text: 0, start: 0, end: 1 }],
      timedOut,
    })),
  })

const fails: FilterEngine['inspect'] = () => Promise.reject(new GatewayError('overloaded', { message: 'Too much.' }))

it('asks the engine about nothing but texts with a needle', async () => {
  const { ask, done } = makeGuard(() => Promise.reject(new Error('not to be asked')))
  await ask('Hello there')
  expect(done).toEqual(['filtered', 'counted'])
})

it('[MODER-01] judges after the filters, and counts nothing of a session for what it refuses', async () => {
  const { ask, done, kept } = makeGuard(finds(false))
  await expect(ask(moderationTestPhrase)).rejects.toMatchObject({ errorName: 'contentFilter' })
  expect(done).toEqual(['filtered', 'inspected', 'blocked'])
  expect(kept).toMatchObject([
    { categories: ['test'], sessionId: '01890000-0000-7000-8000-000000000002', endpoint: 'chat' },
  ])
})

it('takes patterns that do not end in time, and an engine that fails, for not being able to judge', async () => {
  for (const inspect of [finds(true), fails]) {
    const strict = makeGuard(inspect)
    await expect(strict.ask(moderationTestPhrase)).rejects.toMatchObject({ errorName: 'moderationUnavailable' })
    expect(strict.done).toEqual(['filtered', 'inspected', 'down'])
    const lenient = makeGuard(inspect, 'allow')
    await lenient.ask(moderationTestPhrase)
    expect(lenient.done).toEqual(['filtered', 'inspected', 'down', 'counted'])
  }
})
