import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

let world: OrganizationWorld
let home: TestHome
let paths: { organization: string; team: string; member: string }
let memberUserId: string

beforeAll(async () => {
  world = await startOrganizationWorld()
})
beforeEach(async () => {
  home = await world.newOrganization()
  const { teamId } = await world.addTeam(home.id)
  const { memberId, userId } = await world.addMember(home.id, { teamId })
  memberUserId = userId
  const base = `/api/orgs/${home.id}`
  paths = {
    organization: `${base}/allowed-models`,
    team: `${base}/teams/${teamId}/allowed-models`,
    member: `${base}/members/${memberId}/allowed-models`,
  }
})
afterAll(() => world.close())

const kinds = ['organization', 'team', 'member'] as const

describe('lists of allowed models', () => {
  it.each(kinds)('[ALLOW-01] of a new %s are empty, and everything is allowed', async (kind) => {
    const { status, json } = await home.admin.get(paths[kind])
    expect(status).toBe(200)
    expect(json).toEqual({
      allowedModels: [],
      resolvedAllowedModels: null,
      layers: { organization: [], team: [], member: [] },
    })
  })

  it.each(kinds)('[ALLOW-02] [ALLOW-03] of a %s are replaced as a whole, and cleared', async (kind) => {
    const first = await home.admin.patch(paths[kind], {
      allowedModels: ['openai/*', 'google/gemini-3-pro', 'openai/*'],
    })
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ allowedModels: ['openai/*', 'google/gemini-3-pro'] })
    expect((await home.admin.get(paths[kind])).json).toEqual(first.json)
    const second = await home.admin.patch(paths[kind], { allowedModels: ['anthropic/*'] })
    expect(second.json).toMatchObject({ allowedModels: ['anthropic/*'], resolvedAllowedModels: ['anthropic/*'] })
    const cleared = await home.admin.patch(paths[kind], { allowedModels: [] })
    expect(cleared.json).toMatchObject({ allowedModels: [], resolvedAllowedModels: null })
  })

  it('[ALLOW-03] [ALLOW-04] leave each other alone, and allow together what all that say something allow', async () => {
    await home.admin.patch(paths.organization, { allowedModels: ['openai/*', 'google/*', 'anthropic/*'] })
    await home.admin.patch(paths.team, { allowedModels: ['openai/gpt-5.2', 'google/*'] })
    await home.admin.patch(paths.member, { allowedModels: ['openai/*', 'google/gemini-3-pro', 'x-ai/*'] })
    const layers = {
      organization: ['openai/*', 'google/*', 'anthropic/*'],
      team: ['openai/gpt-5.2', 'google/*'],
      member: ['openai/*', 'google/gemini-3-pro', 'x-ai/*'],
    }
    expect((await home.admin.get(paths.member)).json).toEqual({
      allowedModels: layers.member,
      resolvedAllowedModels: ['openai/gpt-5.2', 'google/gemini-3-pro'],
      layers,
    })
    expect((await home.admin.get(paths.team)).json).toEqual({
      allowedModels: layers.team,
      resolvedAllowedModels: ['google/*', 'openai/gpt-5.2'],
      layers: { ...layers, member: [] },
    })
    expect((await home.admin.get(paths.organization)).json).toEqual({
      allowedModels: layers.organization,
      resolvedAllowedModels: layers.organization,
      layers: { organization: layers.organization, team: [], member: [] },
    })
    await home.admin.patch(paths.organization, { allowedModels: ['anthropic/*'] })
    expect((await home.admin.get(paths.member)).json).toMatchObject({ resolvedAllowedModels: [] })
  })

  it.each([
    ['*'],
    ['OpenAI/gpt-5.2'],
    ['openai/GPT-5.2'],
    ['openai'],
    ['openai/'],
    ['/gpt-5.2'],
    ['openai/*/x'],
    ['a/b/c'],
    [''],
    [`openai/${'x'.repeat(94)}`],
  ])('[ALLOW-06] [ALLOW-08] keep what they had when %j is sent, and name it', async (entry) => {
    await home.admin.patch(paths.organization, { allowedModels: ['openai/*'] })
    const refused = await home.admin.patch(paths.organization, { allowedModels: ['google/*', entry] })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json)).toContain(entry.slice(0, 50))
    expect((await home.admin.get(paths.organization)).json).toMatchObject({ allowedModels: ['openai/*'] })
    expect(await world.auditOf(home.id)).toHaveLength(1)
  })

  it.each([{}, { allowedModels: null }, { allowedModels: 'openai/*' }, { allowedModels: [5] }])(
    '[ALLOW-06] are not replaced by %j',
    async (body) => {
      expect((await home.admin.patch(paths.organization, body)).status).toBe(400)
    },
  )

  it('[ALLOW-07] [ALLOW-08] have up to 200 entries of up to 100 characters', async () => {
    const longest = `openai/${'x'.repeat(93)}`
    const many = [longest, ...Array.from({ length: 200 }, (_, index) => `openai/model-${index}`)]
    expect((await home.admin.patch(paths.team, { allowedModels: many })).status).toBe(400)
    const full = await home.admin.patch(paths.team, { allowedModels: many.slice(0, 200) })
    expect(full.status).toBe(200)
    expect((await home.admin.get(paths.team)).json).toMatchObject({ allowedModels: many.slice(0, 200) })
  })

  it('leave an audit entry for each change, and none where nothing changed', async () => {
    for (const kind of kinds) await home.admin.patch(paths[kind], { allowedModels: ['openai/*'] })
    await home.admin.patch(paths.team, { allowedModels: ['openai/*'] })
    await home.admin.patch(paths.team, { allowedModels: [] })
    const changed = { before: { allowedModels: [] }, after: { allowedModels: ['openai/*'] } }
    expect(await world.auditOf(home.id)).toMatchObject([
      { action: 'org.allowed_models.update', actor_kind: 'key', target_id: home.id, ...changed },
      { action: 'team.allowed_models.update', target_id: paths.team.split('/')[5], ...changed },
      { action: 'org_member.allowed_models.update', target_id: paths.member.split('/')[5], ...changed },
      { action: 'team.allowed_models.update', before: changed.after, after: changed.before },
    ])
  })

  it('of two that come at once are kept one after the other, and both are on record', async () => {
    const lists = Array.from({ length: 8 }, (_, index) => [`openai/model-${index}`])
    await Promise.all(lists.map((allowedModels) => home.admin.patch(paths.organization, { allowedModels })))
    const entries = await world.auditOf(home.id)
    expect(entries).toHaveLength(8)
    for (const [index, entry] of entries.entries()) {
      expect(entry.before).toEqual(index === 0 ? { allowedModels: [] } : entries[index - 1]?.after)
    }
    expect((await home.admin.get(paths.organization)).json).toMatchObject({ ...entries.at(-1)?.after })
  })
})

describe('[ALLOW-12] who may', () => {
  it.each(kinds)('an administrator with a session or a management key, for the list of one %s', async (kind) => {
    const session = world.as(await world.signIn(home.adminMember.userId))
    expect((await session.get(paths[kind])).status).toBe(200)
    expect((await session.patch(paths[kind], { allowedModels: ['openai/*'] })).status).toBe(200)
    expect((await home.admin.get(paths[kind])).status).toBe(200)
    expect(await world.auditOf(home.id)).toMatchObject([{ actor_kind: 'user', actor_id: home.adminMember.userId }])
  })

  it.each(kinds)('nobody without either, for the list of one %s', async (kind) => {
    expect((await world.as().get(paths[kind])).status).toBe(401)
    expect((await world.as().patch(paths[kind], { allowedModels: [] })).status).toBe(401)
    const { key } = await world.addKey(home.adminMember.userId)
    expect((await world.as(key).get(paths[kind])).status).toBe(403)
  })

  it('a member reads none, and a team administrator reads those of the own team without changing them', async () => {
    const plain = world.as(await world.signIn(memberUserId))
    for (const kind of kinds) expect((await plain.get(paths[kind])).status).toBe(403)
    const teamId = paths.team.split('/')[5] ?? ''
    const lead = await world.addMember(home.id, { role: 'team_admin', teamId })
    const leading = world.as(await world.signIn(lead.userId))
    expect((await leading.get(paths.team)).status).toBe(200)
    expect((await leading.get(paths.member)).status).toBe(200)
    expect((await leading.get(paths.organization)).status).toBe(403)
    expect((await leading.patch(paths.team, { allowedModels: [] })).status).toBe(403)
    const other = await world.addTeam(home.id)
    expect((await leading.get(`/api/orgs/${home.id}/teams/${other.teamId}/allowed-models`)).status).toBe(403)
  })

  it('administrators of other organizations see nothing, and change nothing', async () => {
    const stranger = await world.newOrganization()
    for (const kind of kinds) {
      expect((await stranger.admin.get(paths[kind])).status).toBe(404)
      expect((await stranger.admin.patch(paths[kind], { allowedModels: ['openai/*'] })).status).toBe(404)
      const inside = paths[kind].replace(home.id, stranger.id)
      if (kind !== 'organization') expect((await stranger.admin.patch(inside, { allowedModels: [] })).status).toBe(404)
    }
    expect(await world.auditOf(home.id)).toEqual([])
  })
})
