import { describe, expect, it } from 'vitest'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { newUuid } from '#lib/uuid.ts'
import type { FilterHit } from '#ports/filter-engine.ts'
import type { Moderation, ModerationVerdict } from '#ports/moderation.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { composeGuard, type GuardPorts } from './compose-guard.ts'

function startGuard(
  moderation: Moderation | null,
  whenDown: 'allow' | 'refuse' = 'refuse',
  change: Partial<GuardPorts> = {},
) {
  const told: unknown[] = []
  const ports: GuardPorts = {
    sessionQuotas: { takeRequest: async () => ({ allowed: true }) },
    filterRules: { find: () => filterRuleSet([]) },
    filterEngine: { inspect: async ({ texts }) => ({ texts, hits: [] }) },
    moderation,
    evidence: { keep: async () => void told.push('kept') },
    audit: { append: async () => {} },
    log: {
      warn: (_event, message) => told.push(message),
      error: (_event, message) => told.push(message),
    },
    metrics: {
      moderationBlocked: { inc: ({ source }) => told.push(`blocked by ${source}`) },
      moderationDown: { inc: () => told.push('down') },
    },
    ...change,
  }
  const guard = composeGuard(ports, { whenDown, evidenceDays: 1 })
  const { arrival, plan } = testTicket()
  const call = { ...plan.call, body: { messages: [{ role: 'user', content: 'hello' }] } }
  const ask = (principal = makePrincipal()) => guard({ arrival, principal, call, wanted: wantedModel })
  return { ask, told, call }
}

describe('moderation', () => {
  it('that is disabled judges nothing', async () => {
    const { ask, told, call } = startGuard(null)
    expect((await ask()).call).toBe(call)
    expect(told).toEqual([])
  })

  it('that blocks is counted by its source, and its evidence kept', async () => {
    const place = { text: 0, start: 0 }
    const verdict: ModerationVerdict = { allowed: false, source: 'built-in', categories: ['weapons'], place }
    const { ask, told } = startGuard({ review: () => verdict })
    await expect(ask()).rejects.toMatchObject({ name: 'GatewayError' })
    expect(told).toContain('blocked by built-in')
    expect(told).toContain('kept')
  })

  it.each(['allow', 'refuse'] as const)('that is down is counted and logged: %s', async (whenDown) => {
    const { ask, told } = startGuard({ review: () => Promise.reject(new Error('away')) }, whenDown)
    const asked = ask()
    if (whenDown === 'allow') await asked
    else await expect(asked).rejects.toMatchObject({ errorName: 'moderationUnavailable' })
    expect(told).toEqual(['down', 'moderation failed for a prompt'])
  })
})

describe('a filter that fires', () => {
  it('blocks even though the audit log is away, which is logged', async () => {
    const matcher = { kind: 'keyword', keyword: 'hello' } as const
    const rule: FilterRule = { id: newUuid(1), name: 'greetings', enabled: true, action: 'block', matcher }
    const matches = [{ text: 0, start: 0, end: 5 }]
    const hit: FilterHit = { ruleId: rule.id, action: 'block', isInjection: false, matches, timedOut: false }
    const { ask, told } = startGuard(null, 'refuse', {
      filterRules: { find: () => filterRuleSet([rule]) },
      filterEngine: { inspect: async ({ texts }) => ({ texts, hits: [hit] }) },
      audit: { append: () => Promise.reject(new Error('away')) },
    })
    await expect(ask(makePrincipal({ organizationId: newUuid(2) }))).rejects.toMatchObject({
      errorName: 'contentFilter',
    })
    expect(told).toEqual(['failed to write a content filter hit to the audit log'])
  })
})
