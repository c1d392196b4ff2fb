import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'

// A request costs 0.006 and holds 0.006015.
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

const runs = '/v1/runs'
const chat: JsonObject = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }

/** A person with a key for inference and one for management. */
async function newOwner(terms: { limit?: string } = {}) {
  const limit = terms.limit === undefined ? {} : { limit: parseUsd(terms.limit), period: null }
  const owner = await world.createClient({ usd: '25', terms: limit })
  const { key: manager } = await world.addKey(owner.userId, { type: 'management' })
  return { ...owner, manager: { key: manager } }
}

interface Named {
  readonly run?: string
  readonly budget?: string
  readonly parent?: string
}

function callIn(as: Credential, { run, budget, parent }: Named, body: JsonObject = {}): Promise<Reply> {
  const headers = {
    ...(run === undefined ? {} : { 'x-weir-run': run }),
    ...(budget === undefined ? {} : { 'x-weir-run-budget': budget }),
    ...(parent === undefined ? {} : { 'x-weir-parent-run': parent }),
  }
  return world.as(as).post('/v1/chat/completions', { ...chat, ...body }, { headers })
}

async function readRun(as: Credential, id: string): Promise<JsonObject> {
  await world.settled()
  return (await world.send(as, 'GET', `${runs}/${id}`)).data
}

const codeOf = ({ json }: Reply): unknown => (json['error'] as JsonObject | undefined)?.['code']
const idsIn = ({ json }: Reply): unknown[] =>
  Array.isArray(json['data']) ? json['data'].map((entry) => (entry as JsonObject)['id']) : []

describe('a request that names a run', () => {
  it('[NEXT-40] creates it with its budget, and counts in it', async () => {
    const owner = await newOwner()
    const first = await callIn(owner, { run: 'job-1', budget: '1.00' })
    expect(first.status).toBe(200)
    expect((await callIn(owner, { run: 'job-1' })).status).toBe(200)
    expect(await readRun(owner.manager, 'job-1')).toEqual({
      id: 'job-1',
      parent: null,
      status: 'running',
      budget: 1,
      calls_per_minute: null,
      repeats: null,
      spent: 0.012,
      held: 0,
      left: 0.988,
      calls: 2,
      children: 0,
      stopped_at: null,
      stop_reason: null,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      receipt: {
        models: [{ model: 'openai/gpt-5.2', spent: 0.012, calls: 2, tokens_prompt: 0, tokens_completion: 1_000 }],
        own: { spent: 0.012, calls: 2 },
        children: { spent: 0, calls: 0 },
        total: { spent: 0.012, calls: 2 },
      },
    })
    const receipt = await world.send(owner, 'GET', `/v1/generation?id=${first.headers.get('x-generation-id')}`)
    expect(receipt.data).toMatchObject({ run: 'job-1' })
    await world.expectSoundBooks()
  })

  it('[NEXT-40] creates none if it is refused before money is held', async () => {
    const owner = await newOwner()
    expect((await callIn(owner, { run: 'typo', budget: '1' }, { model: 'acme/none' })).status).toBe(400)
    expect((await world.send(owner.manager, 'GET', `${runs}/typo`)).status).toBe(404)
    expect((await callIn(owner, { run: 'typo', budget: '2' })).status).toBe(200)
  })

  it('[NEXT-41] is refused if its headers are malformed', async () => {
    const owner = await newOwner()
    const asked = world.upstream.requests.length
    const wrong: Named[] = [
      { run: 'two words' },
      { run: 'x'.repeat(129) },
      { run: 'a', budget: '0' },
      { run: 'a', budget: '-1' },
      { run: 'a', budget: '0.0000000001' },
      { run: 'a', parent: 'a' },
      { run: 'a', parent: 'unknown' },
      { budget: '1' },
      { parent: 'p' },
    ]
    for (const named of wrong) expect([named, (await callIn(owner, named)).status]).toEqual([named, 400])
    expect(world.upstream.requests).toHaveLength(asked)
    expect((await world.send(owner.manager, 'GET', runs)).json['data']).toEqual([])
  })

  it('[NEXT-41] is refused beyond 8 nested runs', async () => {
    const owner = await newOwner()
    for (let depth = 1; depth <= 8; depth += 1) {
      const parent = depth === 1 ? {} : { parent: `r${depth - 1}` }
      expect((await callIn(owner, { run: `r${depth}`, ...parent })).status).toBe(200)
    }
    const deeper = await callIn(owner, { run: 'r9', parent: 'r8' })
    expect([deeper.status, deeper.text]).toEqual([400, expect.stringContaining('8 deep')])
    expect(await readRun(owner.manager, 'r1')).toMatchObject({ calls: 8, spent: 0.048, children: 1 })
  })

  it('[NEXT-42] cannot change its budget or parent', async () => {
    const owner = await newOwner()
    await callIn(owner, { run: 'p' })
    await callIn(owner, { run: 'c', budget: '1', parent: 'p' })
    const asked = world.upstream.requests.length
    const wrong = [
      { run: 'c', budget: '1.000000001' },
      { run: 'p', budget: '1' },
      { run: 'c', parent: 'q' },
      { run: 'p', parent: 'c' },
    ]
    for (const named of wrong) {
      const refused = await callIn(owner, named)
      expect([named, refused.status, codeOf(refused)]).toEqual([named, 409, 'run_conflict'])
    }
    expect(world.upstream.requests).toHaveLength(asked)
    expect((await callIn(owner, { run: 'c', budget: '1.000', parent: 'p' })).status).toBe(200)
  })
})

describe("a run's budget", () => {
  it('[NEXT-43] rejects requests beyond it, and no others', async () => {
    const owner = await newOwner()
    expect((await callIn(owner, { run: 'r', budget: '0.01' })).status).toBe(200)
    const refused = await callIn(owner, { run: 'r' })
    expect([refused.status, codeOf(refused)]).toEqual([402, 'run_budget_reached'])
    expect(refused.text).toContain("run's budget has been reached")
    expect(refused.text).toContain('$0.004 is left')
    expect((await callIn(owner, { run: 'other' })).status).toBe(200)
    expect((await callIn(owner, {})).status).toBe(200)
  })

  it('[NEXT-43] holds beside the limit of the key', async () => {
    const owner = await newOwner({ limit: '0.01' })
    expect((await callIn(owner, { run: 'r', budget: '5' })).status).toBe(200)
    expect(codeOf(await callIn(owner, { run: 'r' }))).toBe('spend_limit_exceeded')
  })

  it('[NEXT-43] is never exceeded by requests at once', async () => {
    const owner = await newOwner()
    const replies = await Promise.all(Array.from({ length: 40 }, () => callIn(owner, { run: 'r', budget: '0.061' })))
    const served = replies.filter(({ status }) => status === 200).length
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(40 - served)
    expect(served).toBeGreaterThan(0)
    const { spent, calls, status } = await readRun(owner.manager, 'r')
    expect(spent).toBeLessThanOrEqual(0.061)
    expect([calls, status]).toEqual([served, 'running'])
    await world.expectSoundBooks()
  })

  it('[NEXT-44] counts child runs, at every depth', async () => {
    const owner = await newOwner()
    expect((await callIn(owner, { run: 'top', budget: '0.02' })).status).toBe(200)
    expect((await callIn(owner, { run: 'mid', parent: 'top' })).status).toBe(200)
    expect((await callIn(owner, { run: 'low', parent: 'mid', budget: '0.007' })).status).toBe(200)
    for (const run of ['low', 'mid', 'top']) expect((await callIn(owner, { run })).status).toBe(402)
    expect(await readRun(owner.manager, 'top')).toMatchObject({
      spent: 0.018,
      calls: 3,
      children: 1,
      receipt: { own: { spent: 0.006, calls: 1 }, children: { spent: 0.012, calls: 2 }, total: { spent: 0.018 } },
    })
    expect(await readRun(owner.manager, 'mid')).toMatchObject({ spent: 0.012, budget: null, held: null, left: null })
    expect(await readRun(owner.manager, 'low')).toMatchObject({ spent: 0.006, left: 0.001, parent: 'mid' })
    await world.expectSoundBooks()
  })

  it('[NEXT-45] is quoted beside the other limits, also for a run that does not exist yet', async () => {
    const owner = await newOwner()
    const headers = { 'x-weir-run': 'planned', 'x-weir-run-budget': '0.001' }
    const quote = await world.as(owner).post('/v1/quote', chat, { headers })
    expect(quote.json).toMatchObject({
      limits: [
        { scope: 'wallet', binds: false },
        { scope: 'run', left: 0.001, binds: true },
      ],
    })
    expect((await world.send(owner.manager, 'GET', `${runs}/planned`)).status).toBe(404)
  })
})

describe('the runs of an account', () => {
  it('[NEXT-46] are created once, and listed by page, beginning and parent', async () => {
    const owner = await newOwner()
    for (const id of ['acme-1', 'beta-1']) await world.send(owner.manager, 'POST', runs, { id, budget: '0.5' })
    const made = await world.send(owner.manager, 'POST', runs, { id: 'acme-2', budget: 0.25, parent: 'acme-1' })
    expect([made.status, made.data]).toMatchObject([201, { id: 'acme-2', parent: 'acme-1', budget: 0.25, spent: 0 }])
    expect((await world.send(owner.manager, 'POST', runs, { id: 'acme-2' })).status).toBe(409)
    for (const body of [
      {},
      { id: 'a b' },
      { id: 'x', budget: 0 },
      { id: 'x', parent: 'none' },
      { id: 'x', parent: 'x' },
    ]) {
      expect((await world.send(owner.manager, 'POST', runs, body)).status).toBe(400)
    }
    const first = await world.send(owner.manager, 'GET', `${runs}?limit=2`)
    expect(idsIn(first)).toEqual(['acme-2', 'beta-1'])
    const next = await world.send(owner.manager, 'GET', `${runs}?limit=2&cursor=${String(first.json['next_cursor'])}`)
    expect([idsIn(next), next.json['next_cursor']]).toEqual([['acme-1'], null])
    expect(idsIn(await world.send(owner.manager, 'GET', `${runs}?q=acme`))).toEqual(['acme-2', 'acme-1'])
    expect(idsIn(await world.send(owner.manager, 'GET', `${runs}?parent=acme-1`))).toEqual(['acme-2'])
    expect(idsIn(await world.send(owner.manager, 'GET', `${runs}?roots=true`))).toEqual(['beta-1', 'acme-1'])
  })

  it('[NEXT-47] are those of the wallet; a key for inference sees only its own', async () => {
    const [one, other] = [await newOwner(), await newOwner()]
    const { key: second } = await world.addKey(one.userId)
    await callIn(one, { run: 'shared', budget: '0.007' })
    await callIn({ key: second }, { run: 'second' })
    expect((await callIn({ key: second }, { run: 'shared' })).status).toBe(402)
    expect((await callIn(other, { run: 'shared', budget: '9' })).status).toBe(200)
    expect(idsIn(await world.send(one.manager, 'GET', runs))).toEqual(['second', 'shared'])
    expect(idsIn(await world.send(one, 'GET', runs))).toEqual(['shared'])
    expect((await world.send({ key: second }, 'GET', `${runs}/shared`)).status).toBe(404)
    expect((await world.send(other.manager, 'GET', `${runs}/second`)).status).toBe(404)
    expect(await readRun(other.manager, 'shared')).toMatchObject({ budget: 9, spent: 0.006 })
  })

  it('[NEXT-47] of an organization are read by those who watch its bill, with a session', async () => {
    const { id } = await world.createOrganization()
    const { key } = await world.addOrganizationKey(id)
    expect((await callIn({ key }, { run: 'team-job', budget: '1' })).status).toBe(200)
    await world.settled()
    const read = async (role: 'org_admin' | 'billing_viewer' | 'member') => {
      const { userId } = await world.addMember(id, { role })
      const session = { cookie: await world.signIn(userId) }
      const reply = await world.send(session, 'GET', `${runs}/team-job?organization=${id}`)
      const made = await world.send(session, 'POST', `${runs}?organization=${id}`, { id: `by-${role}` })
      return [reply.status, made.status]
    }
    expect(await read('org_admin')).toEqual([200, 201])
    expect(await read('billing_viewer')).toEqual([200, 403])
    expect(await read('member')).toEqual([403, 403])
    const stranger = await world.createClient({ usd: '25' })
    const session = { cookie: await world.signIn(stranger.userId) }
    expect((await world.send(session, 'GET', `${runs}/team-job?organization=${id}`)).status).toBe(404)
    expect((await world.send(session, 'GET', `${runs}/team-job`)).status).toBe(404)
    await world.expectSoundBooks()
  })
})
