import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { purgeEvidence } from '#store/postgres/moderation/evidence-store.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { findInDatabase } from './find-in-database.ts'
import { moderationTestPhrase } from './test-phrase.ts'

const user = (content: string) => ({ role: 'user', content })

describe('what is kept of a request', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: world.gateway.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(world.gateway.databaseUrl),
    })
    // The response does not repeat the prompt.
    world.openai.play(
      vendorCompletion('openai', { kind: 'text', pieces: ['Fine'], usage: { prompt: 7, completion: 3 } }),
    )
  })
  afterAll(() => world.close())
  beforeEach(() => world.gateway.pool.query('DELETE FROM moderation_evidence'))

  const find = (canary: string) => findInDatabase(world.gateway.pool, canary)

  const post = (path: string, key: string, body: JsonObject) =>
    world.gateway.as(key).post(path, { model: 'openai/gpt-5.2', ...body })

  it('[MODER-02] is none of the text of a permitted one, but its counts, times and model', async () => {
    const canary = 'canary-permitted-81b3'
    const organization = await world.gateway.createOrganization()
    const { memberId, userId } = await world.gateway.addMember(organization.id, { role: 'org_admin' })
    const { key } = await world.gateway.addOrganizationKey(organization.id, { memberId })
    const manager = (await world.gateway.addKey(userId, { type: 'management' })).key
    const ids: string[] = []
    const requests: [string, JsonObject][] = [
      ['/v1/chat/completions', { messages: [{ role: 'system', content: canary }, user(canary)] }],
      ['/v1/chat/completions', { stream: true, messages: [user(canary)] }],
      ['/v1/responses', { instructions: canary, input: canary, metadata: { canary } }],
      ['/v1/messages', { max_tokens: 10, system: canary, messages: [user(canary)] }],
      // The prompt mentions a subject of the policies, so it is inspected closely.
      ['/v1/chat/completions', { messages: [user(`How is anthrax treated? ${canary}`)] }],
    ]
    for (const [path, body] of requests) {
      const response = await post(path, key, body)
      expect(response.status).toBe(200)
      ids.push(response.headers.get('x-generation-id') ?? '')
    }
    expect(JSON.stringify(world.openai.requests)).toContain(canary)
    expect(await find(canary)).toEqual([])
    expect(world.gateway.logLines.join('')).not.toContain(canary)
    for (const [path, reader] of [
      ...ids.map((id) => [`/v1/generation?id=${id}`, key] as const),
      ['/v1/key', key],
      ['/v1/credits', key],
      [`/api/orgs/${organization.id}/audit-log`, manager],
      [`/api/orgs/${organization.id}/audit-log/export`, manager],
    ] as const) {
      const answer = await world.gateway.as(reader).get(path)
      expect(answer.status, path).toBe(200)
      const { text } = answer
      expect(text).not.toContain(canary)
      if (path.startsWith('/v1/generation')) {
        expect(JSON.parse(text)).toMatchObject({
          data: { model: 'openai/gpt-5.2', tokens_prompt: 7, tokens_completion: 3, created_at: expect.any(String) },
        })
      }
    }
    expect(await weirJson('evidence', 'list')).toEqual([])
  })

  it('[MODER-03] is the text of a blocked one, sealed, for operators alone', async () => {
    const canary = 'canary-blocked-19ce'
    const caller = await world.caller()
    const response = await post('/v1/messages', caller.key, {
      max_tokens: 10,
      system: 'Be kind.',
      messages: [user(`${canary} ${moderationTestPhrase}`)],
    })
    expect(response.status).toBe(403)
    expect(response.text).not.toContain(canary)
    expect(await find(canary)).toEqual([])
    expect(await find(moderationTestPhrase)).toEqual([])
    expect(world.gateway.logLines.join('')).not.toContain(canary)
    const listed = await weirJson('evidence', 'list')
    expect(listed).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.stringMatching(/Z$/),
        keptUntil: expect.stringMatching(/Z$/),
        key: caller.keyId,
        user: caller.userId,
        organization: null,
        session: null,
        request: response.headers.get('x-request-id'),
        endpoint: 'messages',
        model: 'openai/gpt-5.2',
        source: 'built-in',
        categories: ['test'],
      },
    ])
    const [entry] = Array.isArray(listed) ? listed.filter(isJsonObject) : []
    const shown = await runWeir('evidence', 'show', String(entry?.id))
    expect(shown).toMatchObject({ code: 0, error: '' })
    expect(shown.out).toContain(`${canary} ${moderationTestPhrase}`)
    expect(shown.out).toContain('Be kind.')
    const days = (Date.parse(String(entry?.keptUntil)) - Date.parse(String(entry?.at))) / 86_400_000
    expect(days).toBe(90)
  })

  it('[MODER-03] can not be looked at without leaving a trace', async () => {
    const caller = await world.caller()
    await post('/v1/chat/completions', caller.key, { messages: [user(moderationTestPhrase)] })
    const [entry] = await rows('SELECT id FROM moderation_evidence')
    const id = String(entry?.id)
    expect((await runWeir('evidence', 'list')).out).toContain(id)
    const views = () =>
      rows(
        `SELECT chain_id, actor_kind, target_id FROM audit_entries WHERE action = 'evidence.show' AND target_id = '${id}'`,
      )
    expect(await views()).toEqual([])
    expect((await runWeir('evidence', 'show', id)).code).toBe(0)
    expect(await views()).toEqual([
      { chain_id: '00000000-0000-0000-0000-000000000000', actor_kind: 'operator', target_id: id },
    ])
    await world.gateway.pool.query('ALTER FUNCTION append_audit RENAME TO append_audit_away')
    try {
      const refused = await runWeir('evidence', 'show', id)
      expect(refused.code).toBe(1)
      expect(refused.out + refused.error).not.toContain(moderationTestPhrase)
    } finally {
      await world.gateway.pool.query('ALTER FUNCTION append_audit_away RENAME TO append_audit')
    }
    expect(await runWeir('evidence', 'show', 'x')).toMatchObject({
      code: 1,
      error: expect.stringContaining('Blocked prompt x not found'),
    })
    expect(await views()).toHaveLength(1)
  })

  it('can not be moved to another row, nor read with another secret', async () => {
    const caller = await world.caller()
    for (const text of ['one', 'two']) {
      await post('/v1/chat/completions', caller.key, { messages: [user(`${text} ${moderationTestPhrase}`)] })
    }
    const [first, second] = await rows('SELECT id FROM moderation_evidence ORDER BY id')
    await world.gateway.pool.query(
      'UPDATE moderation_evidence SET content = (SELECT content FROM moderation_evidence WHERE id = $1) WHERE id = $2',
      [first?.id, second?.id],
    )
    expect((await runWeir('evidence', 'show', String(first?.id))).code).toBe(0)
    expect((await runWeir('evidence', 'show', String(second?.id))).code).toBe(1)
    process.env['WEIR_SECRET'] = [...testSecret].toReversed().join('')
    expect((await runWeir('evidence', 'show', String(first?.id))).code).toBe(1)
    process.env['WEIR_SECRET'] = testSecret
  })

  it('is bounded, and has the words that were blocked', async () => {
    const caller = await world.caller()
    const long = 'long words '.repeat(15_000)
    const messages = [user(long), user(`${long}${moderationTestPhrase}${long}`), user(long)]
    expect((await post('/v1/chat/completions', caller.key, { messages })).status).toBe(403)
    const [row] = await rows('SELECT id, length(content::text) AS length FROM moderation_evidence')
    expect(Number(row?.length)).toBeLessThan(400_000)
    const shown = await runWeir('evidence', 'show', String(row?.id))
    expect(shown.out).toContain(moderationTestPhrase)
    expect(shown.out).toContain('truncated: the rest was too long to store')
  })

  it('does not speak to the terminal of whoever looks at it', async () => {
    const caller = await world.caller()
    await post('/v1/chat/completions', caller.key, {
      messages: [user(`\u001b[2J\u202e${moderationTestPhrase}\u0007\nnext`)],
    })
    const [row] = await rows('SELECT id FROM moderation_evidence')
    const shown = await runWeir('evidence', 'show', String(row?.id))
    expect(shown.out).toContain(`\\u{1b}[2J\\u{202e}${moderationTestPhrase}\\u{7}\nnext`)
  })

  it('is deleted when its time is over, and not shown any more even before', async () => {
    const caller = await world.caller()
    for (let turn = 0; turn < 3; turn += 1) {
      await post('/v1/chat/completions', caller.key, { messages: [user(moderationTestPhrase)] })
    }
    const [old] = await rows('SELECT id FROM moderation_evidence ORDER BY id')
    await world.gateway.pool.query(`UPDATE moderation_evidence SET expires_at = now() WHERE id = $1`, [old?.id])
    expect(await weirJson('evidence', 'list')).toHaveLength(2)
    expect((await runWeir('evidence', 'show', String(old?.id))).code).toBe(1)
    expect(await purgeEvidence(world.gateway.pool, 500)).toBe(1)
    expect(await purgeEvidence(world.gateway.pool, 500)).toBe(0)
    expect(await rows('SELECT id FROM moderation_evidence')).toHaveLength(2)
  })

  it('[MODER-01] decides nothing: where it can not be written, the request is refused all the same', async () => {
    const caller = await world.caller()
    await world.gateway.pool.query('ALTER TABLE moderation_evidence RENAME TO moderation_evidence_away')
    try {
      world.forget()
      const response = await post('/v1/chat/completions', caller.key, { messages: [user(moderationTestPhrase)] })
      expect(response.status).toBe(403)
      expect(world.upstreamCalls()).toBe(0)
      expect(world.gateway.logLines.join('')).toContain('failed to store evidence of a blocked prompt')
    } finally {
      await world.gateway.pool.query('ALTER TABLE moderation_evidence_away RENAME TO moderation_evidence')
    }
  })

  it('is listed for one key, and as many as are asked for', async () => {
    const [one, other] = [await world.caller(), await world.caller()]
    for (const { key } of [one, one, other]) {
      await post('/v1/chat/completions', key, { messages: [user(moderationTestPhrase)] })
    }
    expect(await weirJson('evidence', 'list', '--key', one.keyId)).toHaveLength(2)
    expect(await weirJson('evidence', 'list', '--limit', '1')).toHaveLength(1)
    expect((await runWeir('evidence', 'list', '--limit', '0')).code).toBe(2)
    expect((await runWeir('evidence', 'list', '--key', 'x')).code).toBe(2)
  })

  async function rows(text: string): Promise<Record<string, unknown>[]> {
    return (await world.gateway.pool.query<Record<string, unknown>>(text)).rows
  }
})

async function weirJson(...words: string[]): Promise<unknown> {
  return JSON.parse((await runWeir(...words, '--json')).out)
}
