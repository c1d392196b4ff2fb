import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { Dialect } from '#dialects/dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { FilterFindings, FilterHit } from '#ports/filter-engine.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { createContentFilter } from './filter-content.ts'

const organizationId = newUuid(0)
const rule: FilterRule = {
  id: newUuid(0),
  name: 'Words',
  enabled: true,
  action: 'block',
  matcher: { kind: 'keyword', keyword: 'secret' },
}
const oneMatch = [{ text: 0, start: 2, end: 8 }]
const hit: FilterHit = { ruleId: rule.id, action: 'block', isInjection: false, matches: oneMatch, timedOut: false }

const chatBody: JsonObject = { messages: [{ role: 'user', content: 'a secret' }] }

/** A filter with one rule over an engine with scripted findings. */
function startFilter(
  findings: Partial<FilterFindings> | Error,
  rules: readonly FilterRule[] = [rule],
  { dialect, body }: { dialect: Dialect; body: JsonObject } = { dialect: chatDialect, body: chatBody },
) {
  const recorded: AuditEntry[] = []
  let inspections = 0
  const filter = createContentFilter({
    rules: { find: () => filterRuleSet(rules) },
    engine: {
      inspect: async ({ texts }) => {
        inspections += 1
        if (findings instanceof Error) throw findings
        return { hits: [], texts, ...findings }
      },
    },
    record: (entry) => recorded.push(entry),
  })
  const { arrival } = testTicket()
  const call = dialect.parse({ model: 'a/b', ...body }, [])
  const ask = (special = {}) =>
    filter({
      arrival: { ...arrival, dialect, replyHeaders: { 'x-request-id': 'req-1' } },
      principal: makePrincipal({ organizationId, ...special }),
      call,
      wanted: wantedModel,
    })
  return { ask, call, recorded, inspections: () => inspections }
}

describe('what a filter does with findings', () => {
  it('nothing found: the very same call goes on', async () => {
    const { ask, call, recorded } = startFilter({})
    expect(await ask()).toBe(call)
    expect(recorded).toEqual([])
  })

  it('[FILTER-09] personal keys and organizations without rules: nothing is inspected', async () => {
    const personal = startFilter({ hits: [hit] })
    expect(await personal.ask({ organizationId: null })).toBe(personal.call)
    const without = startFilter({ hits: [hit] }, [{ ...rule, enabled: false }])
    expect(await without.ask()).toBe(without.call)
    expect([personal.inspections(), without.inspections()]).toEqual([0, 0])
  })

  it('[FILTER-01] [FILTER-05] block: 403, or 400 for an injection', async () => {
    await expect(startFilter({ hits: [hit] }).ask()).rejects.toMatchObject({ errorName: 'contentFilter' })
    const injected = startFilter({ hits: [{ ...hit, isInjection: true }] })
    await expect(injected.ask()).rejects.toMatchObject({ errorName: 'promptInjection' })
  })

  it.each([
    ['blocks', hit, "This prompt was blocked by one of your organization's content filters."],
    [
      'finds an injection',
      { ...hit, isInjection: true },
      'This prompt was blocked because it looks like a prompt injection attempt.',
    ],
    [
      'did not finish',
      { ...hit, matches: [], timedOut: true },
      "One of your organization's content filters timed out, so this prompt was not sent.",
    ],
  ])('a rule that %s: the message says so and where it is named, not which', async (_name, found, words) => {
    await expect(startFilter({ hits: [found] }).ask()).rejects.toMatchObject({
      message: `${words} Your organization's audit log names the rule.`,
    })
  })

  it('a rule that is not of the set has no name on record, and a session is named', async () => {
    const { ask, recorded } = startFilter({ hits: [{ ...hit, ruleId: newUuid(9), action: 'flag' }] })
    const session = {
      id: newUuid(8),
      personId: 'person',
      spendQuota: null,
      personMonthQuota: null,
      hasCountedQuota: false,
    }
    await ask({ institutionSession: session })
    expect(recorded).toMatchObject([{ details: { rule: '', sessionId: session.id } }])
  })

  it('[FILTER-01] [FILTER-02] a rule that blocks or redacts and did not finish: 403 that says so', async () => {
    for (const action of ['block', 'redact'] as const) {
      const { ask, recorded } = startFilter({ hits: [{ ...hit, action, matches: [], timedOut: true }] })
      const refusal = { errorName: 'contentFilter', message: expect.stringContaining('content filters timed out') }
      await expect(ask()).rejects.toMatchObject(refusal)
      expect(recorded).toMatchObject([{ action: 'filter.blocked', details: { timedOut: true } }])
    }
  })

  it('[FILTER-01] a rule that blocks and found something before its time was over: it counts as any other', async () => {
    const late: FilterHit = { ...hit, matches: [], timedOut: true }
    const { ask } = startFilter({ hits: [late, { ...hit, isInjection: true, timedOut: true }] })
    await expect(ask()).rejects.toMatchObject({ errorName: 'promptInjection' })
  })

  it('of many rules that did not finish, one is on record', async () => {
    const late: FilterHit = { ...hit, matches: [], timedOut: true }
    const flag: FilterHit = { ...late, action: 'flag' }
    const { ask, recorded } = startFilter({
      hits: [flag, { ...flag }, late, { ...late }, { ...flag, matches: oneMatch }],
    })
    await expect(ask()).rejects.toMatchObject({ errorName: 'contentFilter' })
    expect(recorded.map(({ action }) => action)).toEqual(['filter.blocked', 'filter.flagged'])
  })

  it('[FILTER-03] a flag that did not finish: the call goes on, and the record says so', async () => {
    const { ask, call, recorded } = startFilter({ hits: [{ ...hit, action: 'flag', timedOut: true }] })
    expect(await ask()).toBe(call)
    expect(recorded).toMatchObject([{ action: 'filter.flagged', details: { timedOut: true } }])
  })

  it('[FILTER-02] redact: another body goes on, and the one that was sent is left alone', async () => {
    const { ask, call } = startFilter({ hits: [{ ...hit, action: 'redact' }], texts: ['a [REDACTED]'] })
    const before = JSON.stringify(call)
    expect(await ask()).toEqual({
      ...call,
      body: { ...call.body, messages: [{ role: 'user', content: 'a [REDACTED]' }] },
    })
    expect(JSON.stringify(call)).toBe(before)
  })

  it('[AUDIT-03] every hit is on record: the rule, how often and who, never the text', async () => {
    const { ask, recorded } = startFilter({ hits: [{ ...hit, action: 'flag' }] })
    const memberId = newUuid(0)
    await ask({ memberId, keyName: 'laptop' })
    expect(recorded).toEqual([
      {
        chainId: organizationId,
        actor: { kind: 'key', id: expect.any(String), name: 'laptop' },
        requestId: 'req-1',
        action: 'filter.flagged',
        target: { kind: 'filter_rule', id: rule.id },
        details: {
          rule: 'Words',
          matches: 1,
          model: 'acme/model',
          memberId,
          generationId: expect.stringMatching(/^gen-/),
        },
      },
    ])
    expect(JSON.stringify(recorded)).not.toContain('secret')
  })

  it('[FILTER-01] an engine that fails lets nothing through', async () => {
    await expect(startFilter(new Error('worker died')).ask()).rejects.toThrow('worker died')
  })
})

describe('a filter on an order for media', () => {
  it('[FILTER-02] redact: neither the body nor the task keeps what was taken out', async () => {
    const asked = { dialect: imagesDialect, body: { prompt: 'a secret cat', n: 2 } }
    const { ask } = startFilter({ hits: [{ ...hit, action: 'redact' }], texts: ['a [REDACTED] cat'] }, [rule], asked)
    const call = await ask()
    expect(call.body).toEqual({ model: 'a/b', prompt: 'a [REDACTED] cat', n: 2 })
    expect(call.media?.task).toMatchObject({ kind: 'image', prompt: 'a [REDACTED] cat', count: 2 })
    expect(JSON.stringify(call.media)).not.toContain('secret')
  })

  it('[FILTER-01] refuses what the rules can not read, though an upstream can', async () => {
    const tokens = { dialect: embeddingsDialect, body: { input: [1, 2] } }
    const { ask, inspections } = startFilter({}, [rule], tokens)
    await expect(ask()).rejects.toMatchObject({
      errorName: 'contentFilter',
      message: expect.stringMatching(
        /^Your organization's content filters can't inspect this prompt, so it was not sent\. Send strings /,
      ),
    })
    expect(inspections()).toBe(0)
  })

  it('lets through what they can read', async () => {
    const texts = { dialect: embeddingsDialect, body: { input: ['a'] } }
    const { ask, call } = startFilter({}, [rule], texts)
    expect(await ask()).toBe(call)
  })
})
