import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { type FilteredHome, type FilterWorld, startFilterWorld } from './filter-world.ts'

let world: FilterWorld
let home: FilteredHome

beforeAll(async () => {
  world = await startFilterWorld({ WEIR_LIMITS_ACCOUNT: '100000' })
})
beforeEach(async () => {
  home = await world.newHome()
})
afterAll(() => world.close())

const keyword = { kind: 'keyword', keyword: 'falcon' }
const rule = { name: 'Falcon', action: 'block', matcher: keyword }

describe('a new rule', () => {
  it.each<JsonObject>([
    keyword,
    { kind: 'regex', pattern: 'fal(con)+', ignoreCase: true },
    { kind: 'template', template: 'credit_card' },
  ])('[FILTER-04] looks for %j', async (matcher) => {
    const made = await home.admin.post(home.filters, { ...rule, matcher })
    expect(made.status).toBe(201)
    const expected = { id: expect.any(String), ...rule, matcher, enabled: true, position: 0 }
    const times = { createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) }
    expect(made.data).toEqual({ ...expected, ...times })
    expect((await home.admin.get(home.filters)).list).toEqual([made.data])
  })

  it('stands behind the others, unless it says where', async () => {
    for (const name of ['a', 'b']) await home.admin.post(home.filters, { ...rule, name })
    await home.admin.post(home.filters, { ...rule, name: 'first', position: 0, enabled: false })
    const { list, json } = await home.admin.get(home.filters)
    expect(list.map(({ name, position }) => [name, position])).toEqual([
      ['a', 0],
      ['first', 0],
      ['b', 1],
    ])
    const sensitive =
      'credit_card iban email_address phone_number us_social_security dutch_citizen_number french_social_security ' +
      'german_tax_id italian_tax_code spanish_national_id uk_nhs_number ip_address api_secret private_key json_web_token'
    const title = expect.stringMatching(/^[A-Z]/)
    expect(json['templates']).toEqual([
      ...sensitive.split(' ').map((template) => ({ template, kind: 'sensitive', title })),
      { template: 'prompt_injection', kind: 'injection', title },
    ])
  })

  it.each<[JsonObject, string]>([
    [{ action: 'block', matcher: keyword }, 'name'],
    [{ name: 'x', matcher: keyword }, 'action'],
    [{ name: 'x', action: 'block' }, 'matcher'],
    [{ ...rule, name: ' ' }, 'name'],
    [{ ...rule, name: 'a\0' }, 'name'],
    [{ ...rule, action: 'explode' }, 'action'],
    [{ ...rule, matcher: { kind: 'template', template: 'other' } }, 'template'],
    [{ ...rule, matcher: { kind: 'keyword', keyword: 'a\0' } }, 'keyword'],
    [{ ...rule, position: -1 }, 'position'],
  ])('is refused with 400 as %j', async (body, name) => {
    const refused = await home.admin.post(home.filters, body)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json)).toContain(name)
    expect((await home.admin.get(home.filters)).list).toEqual([])
  })

  it.each(['(', 'a{2,1}', '(?=x)', '(a)\\1', '[z-a]'])(
    '[FILTER-04] is refused with 400 and the reason where %s is no pattern',
    async (pattern) => {
      const refused = await home.admin.post(home.filters, { ...rule, matcher: { kind: 'regex', pattern } })
      expect(refused.status).toBe(400)
      expect(refused.json).toMatchObject({ error: { message: expect.stringMatching(/\w{4}/) } })
      expect((await home.admin.get(home.filters)).list).toEqual([])
    },
  )

  it('[FILTER-06] is the hundredth at most, also where many come at once', async () => {
    for (let count = 0; count < 90; count += 30) {
      await Promise.all(Array.from({ length: 30 }, () => home.addRule('flag', keyword)))
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => home.admin.post(home.filters, rule)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    const { list } = await home.admin.get(home.filters)
    expect(list).toHaveLength(100)
    const refused = await home.admin.post(home.filters, rule)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json)).toContain('100')
    await home.admin.delete(`${home.filters}/${list[0]?.['id']}`)
    expect((await home.admin.post(home.filters, rule)).status).toBe(201)
  })
})

describe('a rule', () => {
  it('is changed in what is said and in nothing else', async () => {
    const ruleId = await home.addRule('block', keyword)
    const path = `${home.filters}/${ruleId}`
    const changed = await home.admin.patch(path, { enabled: false })
    expect(changed.status).toBe(200)
    expect(changed.data).toMatchObject({ id: ruleId, name: 'rule', enabled: false, action: 'block', matcher: keyword })
    const matcher = { kind: 'regex', pattern: 'x+', ignoreCase: false }
    const all = { name: 'new', enabled: true, action: 'redact', matcher, position: 7 }
    expect((await home.admin.patch(path, all)).data).toMatchObject(all)
    expect((await home.admin.patch(path, { matcher: { kind: 'regex', pattern: '(' } })).status).toBe(400)
    expect((await home.admin.patch(path, { name: '' })).status).toBe(400)
    expect((await home.admin.get(home.filters)).list).toMatchObject([all])
  })

  it('is deleted with 204, once', async () => {
    const path = `${home.filters}/${await home.addRule('block', keyword)}`
    expect((await home.admin.delete(path)).status).toBe(204)
    expect((await home.admin.delete(path)).status).toBe(404)
    expect((await home.admin.get(home.filters)).list).toEqual([])
  })

  it('[FILTER-09] of another organization is not there, and neither is one that never was', async () => {
    const stranger = await world.newHome()
    const foreign = await stranger.addRule('block', keyword)
    for (const ruleId of [foreign, newUuid(Date.now()), 'nothing', '%00']) {
      const path = `${home.filters}/${ruleId}`
      expect((await home.admin.patch(path, { enabled: false })).status).toBe(404)
      expect((await home.admin.delete(path)).status).toBe(404)
      const trial = await home.admin.post(`${home.filters}/test`, { text: 'falcon', ruleId })
      expect(trial.status).toBe(404)
      expect((await stranger.admin.patch(`${home.filters}/${ruleId}`, {})).status).toBe(404)
    }
    expect((await stranger.admin.get(stranger.filters)).list).toMatchObject([{ id: foreign, enabled: true }])
  })

  it('leaves an audit entry whenever it is made, changed or deleted', async () => {
    const ruleId = await home.addRule('block', keyword)
    const path = `${home.filters}/${ruleId}`
    await home.admin.patch(path, { action: 'flag' })
    await home.admin.patch(path, { action: 'flag' })
    await home.admin.delete(path)
    const whole = { name: 'rule', enabled: true, action: 'block', matcher: keyword, position: 0 }
    expect(await world.auditOf(home.id)).toMatchObject([
      { action: 'filter.rule.create', actor_kind: 'key', target_id: ruleId, before: null, after: whole },
      { action: 'filter.rule.update', before: { action: 'block' }, after: { action: 'flag' } },
      { action: 'filter.rule.delete', before: { ...whole, action: 'flag' }, after: null },
    ])
  })

  it('is for administrators of the organization', async () => {
    const { userId } = await world.addMember(home.id)
    const member = world.as(await world.signIn(userId))
    expect((await member.get(home.filters)).status).toBe(403)
    expect((await member.post(home.filters, rule)).status).toBe(403)
    expect((await member.post(`${home.filters}/test`, { text: 'x' })).status).toBe(403)
    expect((await world.as(home.key).get(home.filters)).status).toBe(403)
    const session = world.as(await world.signIn(home.adminMember.userId))
    expect((await session.post(home.filters, rule)).status).toBe(201)
  })
})
