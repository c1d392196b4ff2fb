import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type FilteredHome, type FilterWorld, startFilterWorld } from './filter-world.ts'

let world: FilterWorld
let home: FilteredHome

beforeAll(async () => {
  world = await startFilterWorld()
})
beforeEach(async () => {
  home = await world.newHome()
})
afterAll(() => world.close())

const falcon = { kind: 'keyword', keyword: 'falcon' }
const digits = { kind: 'regex', pattern: '[0-9]{3}' }

async function attempt(body: JsonObject) {
  const { status, data } = await home.admin.post(`${home.filters}/test`, body)
  expect(status).toBe(200)
  return data
}

describe('[FILTER-04] trying filters on a text', () => {
  it('shows what a rule that is not kept would find', async () => {
    const text = 'Falcon 123 and 456'
    expect(await attempt({ text, rule: { action: 'redact', matcher: digits } })).toEqual({
      outcome: 'redact',
      text: 'Falcon [REDACTED] and [REDACTED]',
      rules: [
        {
          id: null,
          name: null,
          action: 'redact',
          outcome: 'redact',
          timedOut: false,
          matches: [
            { start: 7, end: 10, text: '123' },
            { start: 15, end: 18, text: '456' },
          ],
        },
      ],
    })
    expect((await home.admin.get(home.filters)).list).toEqual([])
    expect(await attempt({ text: 'hawk', rule: { action: 'block', matcher: falcon } })).toMatchObject({
      outcome: 'none',
      text: 'hawk',
      rules: [{ outcome: 'none', matches: [] }],
    })
  })

  it('shows what each rule that is enabled would do, and the gravest of it', async () => {
    const flagging = await home.addRule('flag', digits)
    const blocking = await home.addRule('block', falcon)
    const off = await home.addRule('block', digits, { enabled: false })
    expect(await attempt({ text: '123' })).toMatchObject({
      outcome: 'flag',
      text: '123',
      rules: [
        { id: flagging, name: 'rule', action: 'flag', outcome: 'flag' },
        { id: blocking, action: 'block', outcome: 'none' },
      ],
    })
    expect(await attempt({ text: 'falcon 123' })).toMatchObject({ outcome: 'block' })
    expect(await attempt({ text: '123', ruleId: off })).toMatchObject({ outcome: 'block', rules: [{ id: off }] })
    expect(await world.auditOf(home.id)).toHaveLength(3)
  })

  it('shows nothing where there are no rules', async () => {
    expect(await attempt({ text: 'falcon' })).toEqual({ outcome: 'none', text: 'falcon', rules: [] })
  })

  it.each<JsonObject>([
    {},
    { text: 5 },
    { text: 'x'.repeat(100_001) },
    { text: 'x', ruleId: 5 },
    { text: 'x', rule: 'falcon' },
    { text: 'x', rule: { action: 'block' } },
    { text: 'x', rule: { matcher: falcon } },
    { text: 'x', rule: { action: 'block', matcher: { kind: 'regex', pattern: '(' } } },
  ])('refuses %j with 400', async (body) => {
    expect((await home.admin.post(`${home.filters}/test`, body)).status).toBe(400)
  })
})
