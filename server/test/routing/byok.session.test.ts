import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/setup/client.ts'
import {
  type ByokHome,
  byokPath,
  type ByokWorld,
  modelList,
  newKeyBody,
  ownSecret,
  startByokWorld,
} from './byok-world.ts'

describe('own keys by the path of their organization', () => {
  let world: ByokWorld
  let home: ByokHome
  let away: ByokHome
  let session: Client
  let path: string
  beforeAll(async () => {
    world = await startByokWorld()
    home = await world.newByokHome()
    away = await world.newByokHome()
    session = world.as(await world.signIn(home.adminMember.userId))
    path = `/api/orgs/${home.id}/own-keys`
  })
  afterAll(() => world.close())

  it('a session of an administrator manages the same keys as the management key', async () => {
    world.own.playNext(modelList(['our-gpt']))
    const made = await session.post(path, newKeyBody(world.own))
    expect(made.status).toBe(201)
    expect(made.json['sync']).toEqual({ matched: ['openai/gpt-5.2'], unmatched: [], stale: [] })
    expect(made.text).not.toContain(ownSecret)
    const id = String(made.data['id'])
    expect((await home.manager.get(byokPath)).list).toEqual((await session.get(path)).list)
    expect((await session.get(`${path}/${id}`)).data['name']).toBe('Ours')
    expect((await session.patch(`${path}/${id}`, { enabled: false })).data['enabled']).toBe(false)
    expect((await home.manager.get(`${byokPath}/${id}`)).data['enabled']).toBe(false)
    expect((await session.delete(`${path}/${id}`)).status).toBe(204)
    const entries = await world.auditOf(home.id)
    const byUser = entries.filter(({ actor_id: actor }) => actor === home.adminMember.userId)
    expect(byUser.map(({ action }) => action)).toEqual(['byok.key.create', 'byok.key.update', 'byok.key.delete'])
  })

  it('a key of another organization is as unknown as one that does not exist', async () => {
    const theirs = await away.addOwnKey()
    const [foreign, missing] = await Promise.all(
      [String(theirs['id']), '00000000-0000-4000-8000-000000000000'].map((id) => session.get(`${path}/${id}`)),
    )
    expect(foreign?.status).toBe(404)
    expect(withoutIds(foreign?.text)).toBe(withoutIds(missing?.text))
    expect((await session.get(`/api/orgs/${away.id}/own-keys`)).status).toBe(404)
  })

  it('other roles get 403', async () => {
    const { teamId } = await world.addTeam(home.id)
    for (const role of ['billing_viewer', 'team_admin', 'member'] as const) {
      const { userId } = await world.addMember(home.id, { role, teamId })
      const client = world.as(await world.signIn(userId))
      expect((await client.get(path)).status, role).toBe(403)
      expect((await client.post(path, newKeyBody(world.own))).status, role).toBe(403)
    }
  })
})

function withoutIds(text = ''): string {
  return text.replaceAll(/req_[0-9a-f]+/g, 'req')
}
