import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'
import { type AutoWorld, startAutoWorld } from './auto-world.ts'
import { contractTiers } from './contract-tiers.ts'

let world: AutoWorld

beforeAll(async () => {
  world = await startAutoWorld()
  await world.setTier('paid', 'simple', { models: ['openai/gpt-4o-mini'] })
  await world.setTier('free', 'simple', { models: ['google/gemma-3-27b-it:free'] })
})
afterEach(() => {
  world.upstream.play({ kind: 'echo' })
  world.upstream.forget()
})
afterAll(() => world.close())

/** The three inference endpoints, each with a body in its own format. */
const endpoints = [
  ['/v1/chat/completions', {}],
  ['/v1/responses', { input: 'Hi there!', messages: undefined, max_tokens: undefined }],
  ['/v1/messages', {}],
] as const

describe('a request that leaves the choice to us', () => {
  it('[AUTO-01] is served by a model of the paid table at the price of that model', async () => {
    const { key, walletId } = await world.createClient({ usd: '1' })
    const reply = await world.ask({ model: 'auto' }, { key })
    expect(reply.status).toBe(200)
    expect(reply.json.model).toBe('openai/gpt-4o-mini')
    const { prompt_tokens: prompt, completion_tokens: completion, cost } = objectAt(reply.json, 'usage')
    expect(cost).toBeCloseTo(Number(prompt) * 0.00000016 + Number(completion) * 0.00000064, 9)
    expect(Number((await world.walletOf(walletId)).charged)).toBeCloseTo(Number(cost), 9)
  })

  it('[AUTO-02] is served by a model of the free table for auto:free, and costs nothing', async () => {
    const { key, walletId } = await world.createClient({ usd: '1' })
    const reply = await world.ask({ model: 'auto:free' }, { key })
    expect(reply.status).toBe(200)
    expect(reply.json.model).toBe('google/gemma-3-27b-it:free')
    expect(objectAt(reply.json, 'usage').cost).toBe(0)
    expect(await world.walletOf(walletId)).toMatchObject({ balance: '1', held: '0', charged: '0' })
  })

  it('[AUTO-02] is served for nothing by nobody else, whatever else is known of the model', async () => {
    // As if the catalogue entry were gone: its name would resolve to the paid model.
    const text =
      "UPDATE auto_tiers SET models = '{openai/gpt-4o-mini:free}' WHERE table_name = 'free' AND tier = 'simple'"
    await world.pool.query(`WITH moved AS (UPDATE revisions SET revision = revision + 1 WHERE topic = 'auto') ${text}`)
    await world.gateway.refresh()
    expect((await world.ask({ model: 'auto:free' })).status).toBe(503)
    expect(world.upstream.requests).toHaveLength(0)
    await world.setTier('free', 'simple', { models: ['google/gemma-3-27b-it:free'] })
  })

  it.each(endpoints)(
    '[AUTO-03] is told on %s which model answered, in the body and in a header',
    async (path, body) => {
      const reply = await world.ask(body, { path, headers: { origin: 'https://app.example' } })
      expect(reply.status).toBe(200)
      expect(reply.json.model).toBe('openai/gpt-4o-mini')
      expect(reply.headers.get('x-auto-resolved-model')).toBe('openai/gpt-4o-mini')
      expect(reply.headers.get('access-control-expose-headers')).toContain('x-auto-resolved-model')
      const stream = await world.ask({ ...body, stream: true }, { path })
      expect(stream.headers.get('x-auto-resolved-model')).toBe('openai/gpt-4o-mini')
      expect(stream.text).toContain('"model":"openai/gpt-4o-mini"')
      const prefixed = await world.ask({ ...body, model: 'weir/auto' }, { path })
      expect(prefixed.headers.get('x-auto-resolved-model')).toBe('openai/gpt-4o-mini')
    },
  )

  it.each(endpoints)('[AUTO-03] has that header on %s for no model that was named', async (path, body) => {
    for (const stream of [false, true]) {
      const reply = await world.ask({ ...body, stream, model: 'openai/gpt-4o-mini' }, { path })
      expect(reply.status).toBe(200)
      expect(reply.headers.has('x-auto-resolved-model')).toBe(false)
    }
  })

  it('is written in lower case, and not in a list of fallbacks', async () => {
    expect((await world.ask({ model: 'AUTO' })).status).toBe(400)
    expect((await world.ask({ model: 'auto:free:online' })).status).toBe(400)
    expect((await world.ask({ model: 'openai/gpt-4o-mini', models: ['auto'] })).status).toBe(400)
  })

  it('may name models of its own that come after those of the tier', async () => {
    world.upstream.playNext(serverError())
    const reply = await world.ask({ models: ['openai/gpt-5.2'] })
    expect(reply.json.model).toBe('openai/gpt-5.2')
    expect(reply.headers.get('x-auto-resolved-model')).toBe('openai/gpt-5.2')
  })
})

describe('the tiers', () => {
  it('[AUTO-04] are exactly these, in both tables', async () => {
    for (const table of ['paid', 'free']) {
      const { rows } = await world.pool.query<{ tier: string }>('SELECT tier FROM auto_tiers WHERE table_name = $1', [
        table,
      ])
      expect(rows.map(({ tier }) => tier).toSorted()).toEqual(contractTiers.toSorted())
    }
    await expect(world.pool.query("INSERT INTO auto_tiers VALUES ('paid', 'poetry')")).rejects.toThrow('check')
  })

  it.each([
    ['simple', 'Convert 5 miles to kilometers'],
    ['standard', 'Explain how vaccines work in simple terms.'],
    [
      'complex',
      'Critically evaluate the evidence for and against a universal basic income, considering labour supply, inflation, inequality and political feasibility.',
    ],
    ['reasoning', 'Show that for every integer n, n^3 - n is divisible by 6.'],
    ['coding', 'Implement an LRU cache in Rust with O(1) get and put, and add unit tests.'],
    ['vision', 'Identify the bird in the picture I just sent you.'],
    ['image', 'Create a minimalist logo for a coffee roastery called Ember.'],
    ['video', 'Write a storyboard for a two-minute explainer video about compost.'],
    ['data', 'Calculate mean, median and standard deviation of 4, 8, 15, 16, 23, 42.'],
    ['search', 'Look up the current exchange rate from euros to Swiss francs.'],
    ['social', 'Draft a LinkedIn post about what I learned in my first year as a manager.'],
    ['email', 'Write an email to my landlord asking him to fix the broken heating.'],
    ['calendar', 'Move my dentist appointment from Thursday to Friday morning.'],
    ['trading', 'Where are support and resistance for gold at the moment?'],
  ] as const)('[AUTO-04] of %s serves what belongs to it, and the record says so', async (tier, content) => {
    const { key } = await world.createClient()
    await world.setTier('paid', tier, { models: ['openai/gpt-4o-mini'] })
    const reply = await world.ask({ messages: [{ role: 'user', content }] }, { key })
    expect(reply.status).toBe(200)
    expect(await world.routingOf(reply, key)).toMatchObject({ auto_tier: tier })
  })

  it('[AUTO-04] are chosen by what the last message shows and asks for', async () => {
    await world.setTier('paid', 'vision', { models: ['openai/gpt-5.2'] })
    await world.setTier('paid', 'image', { models: ['openai/gpt-4.1-nano'] })
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const shown = await world.ask({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'And this?' }, image] }],
    })
    expect(shown.json.model).toBe('openai/gpt-5.2')
    const wanted = await world.ask({ modalities: ['image', 'text'] })
    // The configured model makes no images, and the error says so.
    expect(wanted.text).toContain('openai/gpt-4.1-nano')
    expect(wanted.status).toBe(400)
    const past = [
      { role: 'user', content: [image] },
      { role: 'assistant', content: 'A cat.' },
    ]
    const after = await world.ask({ messages: [...past, { role: 'user', content: 'Thanks, bye!' }] })
    expect(after.json.model).toBe('openai/gpt-4o-mini')
  })

  it.each([
    ['simple', 'a simple question', 'Convert 5 miles to kilometers'],
    [
      'standard',
      'hardly more than a simple one',
      'Convert 5 miles to kilometers What are some good tips for sleeping better at night?',
    ],
    ['standard', 'an ordinary question', 'Explain how vaccines work in simple terms.'],
    [
      'complex',
      'hardly more than an ordinary one',
      "What's 17 times 6? What are the pros and cons of living in a big city?",
    ],
  ] as const)('[AUTO-05] %s serves %s', async (tier, _what, content) => {
    const { key } = await world.createClient()
    await world.setTier('paid', tier, { models: ['openai/gpt-5.2'] })
    const reply = await world.ask({ messages: [{ role: 'user', content }] }, { key })
    expect(reply.json.model).toBe('openai/gpt-5.2')
    expect(await world.routingOf(reply, key)).toMatchObject({ auto_tier: tier })
  })
})
