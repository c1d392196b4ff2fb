import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { findAnywhere } from '#test/moderation/find-anywhere.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import {
  type ByokHome,
  byokPath,
  type ByokWorld,
  modelList,
  newKeyBody,
  ownSecret,
  startByokWorld,
} from './byok-world.ts'

describe('managing own upstream keys', () => {
  let world: ByokWorld
  let home: ByokHome
  let away: ByokHome
  beforeAll(async () => {
    world = await startByokWorld()
    home = await world.newByokHome()
    away = await world.newByokHome()
  })
  afterAll(() => world.close())

  it('[BYOK-01] lists the keys of the own organization alone, on both mounts', async () => {
    const mine = await home.addOwnKey({ name: 'Mine' })
    const theirs = await away.addOwnKey({ name: 'Theirs' })
    for (const mount of ['', '/api']) {
      const { status, json } = await home.manager.get(mount + byokPath)
      expect(status).toBe(200)
      expect(json['data']).toEqual([mine])
      expect(json['total_count']).toBe(1)
    }
    expect((await away.manager.get(byokPath)).list.map(({ id }) => id)).toEqual([theirs['id']])
  })

  it('[BYOK-02] never shows the upstream key, nor keeps it readable anywhere', async () => {
    const { id } = await home.addOwnKey()
    const answers = await Promise.all([
      home.manager.get(byokPath),
      home.manager.get(`${byokPath}/${id}`),
      home.manager.patch(`${byokPath}/${id}`, { name: 'Other' }),
    ])
    for (const { json } of answers) expect(JSON.stringify(json)).not.toContain(ownSecret)
    expect(answers[1]?.data['keyMask']).toBe('sk-…wxyz')
    const { rows } = await world.pool.query('SELECT own_keys::text AS row FROM own_keys')
    expect(JSON.stringify(rows)).not.toContain(ownSecret)
    expect(JSON.stringify(await world.auditOf(home.id))).not.toContain(ownSecret)
    expect(world.logLines.join('\n')).not.toContain(ownSecret)
  })

  it('[BYOK-18] stores the upstream key sealed, and nowhere else', async () => {
    const secret = `sk-sealed-${newUuid(0)}`
    const { id } = await home.addOwnKey({ apiKey: secret })
    const { rows } = await world.pool.query<{ row: string }>(
      'SELECT own_keys::text AS row FROM own_keys WHERE id = $1',
      [id],
    )
    expect(rows).toHaveLength(1)
    // Thirty bytes, which base64 writes without padding.
    const readable = Buffer.from(secret.slice(0, 30))
    for (const form of ['utf8', 'hex', 'base64', 'base64url'] as const) {
      expect(rows[0]?.row).not.toContain(readable.toString(form))
    }
    expect(await findAnywhere(world, secret)).toEqual(['sealed in own_keys'])
  })

  it('[BYOK-03] [BYOK-04] answers 201 with the whole object and the sync', async () => {
    world.own.playNext(modelList(['gpt-5.2', 'openai/gpt-4o-mini', 'unheard-of']))
    const { modelMappings: _, ...body } = newKeyBody(world.own)
    const made = await home.manager.post(byokPath, { ...body, protocol: 'openai', fallbackMode: 'strict' })
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      id: expect.any(String),
      name: 'Ours',
      baseUrl: `${world.own.url}/v1`,
      keyMask: 'sk-…wxyz',
      protocol: 'openai',
      provider: null,
      fallbackMode: 'strict',
      modelMappings: [
        { model: 'openai/gpt-4o-mini', upstreamModel: 'openai/gpt-4o-mini', enabled: true },
        { model: 'openai/gpt-5.2', upstreamModel: 'gpt-5.2', enabled: true },
      ],
      scopedApiKeyIds: [],
      enabled: true,
      health: { status: 'healthy', lastCheckedAt: expect.any(String), lastError: null, consecutiveFailures: 0 },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(made.json['sync']).toEqual({
      matched: ['openai/gpt-5.2', 'openai/gpt-4o-mini'],
      unmatched: ['unheard-of'],
      stale: [],
    })
    const asked = world.own.requests.at(-1)
    expect(asked).toMatchObject({ method: 'GET', path: '/v1/models', rawBody: '' })
    expect(asked?.headers).toMatchObject({ authorization: `Bearer ${ownSecret}`, 'accept-encoding': 'identity' })
    await home.manager.delete(`${byokPath}/${made.data['id']}`)
  })

  it('[BYOK-04] asks a host of the Anthropic protocol in its own way, with or without the version in its address', async () => {
    for (const suffix of ['', '/v1', '/v1/']) {
      world.own.playNext(modelList(['claude-sonnet-4-6', 'claude-nothing']))
      const made = await home.manager.post(byokPath, {
        name: 'Claude',
        baseUrl: world.own.url + suffix,
        apiKey: ownSecret,
        protocol: 'anthropic',
      })
      expect(made.json['sync']).toEqual({
        matched: ['anthropic/claude-sonnet-4.6'],
        unmatched: ['claude-nothing'],
        stale: [],
      })
      const asked = world.own.requests.at(-1)
      expect(asked?.path).toBe('/v1/models?limit=1000')
      expect(asked?.headers).toMatchObject({ 'x-api-key': ownSecret, 'anthropic-version': '2023-06-01' })
      await home.manager.delete(`${byokPath}/${made.data['id']}`)
    }
  })

  it('[BYOK-04] compares written mappings with what the provider lists, and creates the key whatever it answers', async () => {
    const modelMappings = [
      { model: 'gpt-5.2', upstreamModel: 'a' },
      { model: 'openai/gpt-4o-mini', upstreamModel: 'b', enabled: false },
    ]
    world.own.playNext(modelList(['a']))
    const compared = await home.manager.post(byokPath, { ...newKeyBody(world.own), modelMappings })
    expect(compared.json['sync']).toEqual({ matched: ['openai/gpt-5.2'], unmatched: [], stale: ['openai/gpt-4o-mini'] })
    expect(compared.data['modelMappings']).toEqual([
      { model: 'openai/gpt-4o-mini', upstreamModel: 'b', enabled: false },
      { model: 'openai/gpt-5.2', upstreamModel: 'a', enabled: true },
    ])
    for (const failing of [
      faults.serverError(),
      faults.redirect(`${world.platform.url}/v1/models`),
      faults.htmlError(200),
    ]) {
      world.own.playNext(failing)
      const made = await home.manager.post(byokPath, { ...newKeyBody(world.own), modelMappings })
      expect(made.status).toBe(201)
      expect(made.data['health']).toMatchObject({ status: 'failing', consecutiveFailures: 1 })
      await home.manager.delete(`${byokPath}/${made.data['id']}`)
    }
    expect(world.platform.requests).toEqual([])
    await home.manager.delete(`${byokPath}/${compared.data['id']}`)
  })

  it('[BYOK-04] refuses bodies that say nothing sensible, and adds nothing', async () => {
    const { rows: before } = await world.pool.query('SELECT count(*) FROM own_keys')
    const body = newKeyBody(world.own)
    const wrong = [
      { name: undefined },
      { baseUrl: undefined },
      { apiKey: undefined },
      { name: '' },
      { name: 'a\nb' },
      { name: 'a\ud800' },
      { apiKey: 'two words' },
      { apiKey: 'a\r\nx-evil: 1' },
      { apiKey: '' },
      { apiKey: 'ключ' },
      { protocol: 'gemini' },
      { fallbackMode: 'sometimes' },
      { modelMappings: [{ model: 'openai/unheard-of' }] },
      { modelMappings: [{ model: 'test/echo' }] },
      { modelMappings: [{ model: 'gpt-5.2' }, { model: 'openai/gpt-5.2' }] },
      { modelMappings: [{ model: 'gpt-5.2', upstreamModel: 'a b' }] },
      { modelMappings: {} },
      { enabled: 'yes' },
      { baseUrl: `${world.own.url}/v1?key=1` },
      { baseUrl: `${world.own.url}/v1#x` },
    ]
    for (const change of wrong) {
      const { status } = await home.manager.post(byokPath, { ...body, ...change })
      expect({ change, status }).toEqual({ change, status: 400 })
    }
    const { rows: after } = await world.pool.query('SELECT count(*) FROM own_keys')
    expect(after).toEqual(before)
  })

  it('[BYOK-06] refuses scopes that are not keys of the organization, and changes nothing', async () => {
    const { key: _, keyId: foreign } = away.key
    const personal = await world.addKey(home.adminMember.userId)
    const revoked = await world.addOrganizationKey(home.id)
    await world.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revoked.keyId])
    const key = await home.addOwnKey({ scopedApiKeyIds: [home.key.keyId] })
    expect(key['scopedApiKeyIds']).toEqual([home.key.keyId])
    const { list: before } = await home.manager.get(byokPath)
    for (const id of [foreign, personal.keyId, revoked.keyId, newUuid(Date.now()), 'nonsense', 7]) {
      const scopedApiKeyIds = [home.key.keyId, id]
      const created = await home.manager.post(byokPath, { ...newKeyBody(world.own), scopedApiKeyIds })
      const changed = await home.manager.patch(`${byokPath}/${key['id']}`, { scopedApiKeyIds, name: 'Changed' })
      expect([created.status, changed.status]).toEqual([400, 400])
    }
    expect((await home.manager.get(byokPath)).list).toEqual(before)
  })

  it('[BYOK-07] answers one key; those of others and those that never were get the same 404', async () => {
    const key = await home.addOwnKey()
    expect((await home.manager.get(`${byokPath}/${key['id']}`)).data).toEqual(key)
    const foreign = await away.addOwnKey()
    const answers = await Promise.all(
      [foreign['id'], newUuid(Date.now()), 'nonsense'].flatMap((id) => [
        home.manager.get(`${byokPath}/${id}`),
        home.manager.patch(`${byokPath}/${id}`, { enabled: false }),
        home.manager.delete(`${byokPath}/${id}`),
      ]),
    )
    const [first] = answers
    for (const answer of answers) expect(answer).toEqual({ ...first, status: 404 })
    expect((await away.manager.get(`${byokPath}/${foreign['id']}`)).data['enabled']).toBe(true)
  })

  it('[BYOK-08] changes only what it is given, and leaves an entry in the audit log', async () => {
    const key = await home.addOwnKey()
    const path = `${byokPath}/${key['id']}`
    const changes = [
      { name: 'Renamed' },
      { baseUrl: `${world.own.url}/v2` },
      { fallbackMode: 'strict' },
      { protocol: 'anthropic' },
      { enabled: false },
      { modelMappings: [{ model: 'openai/gpt-4o-mini', upstreamModel: 'mini', enabled: true }] },
    ]
    const expected = { ...key }
    for (const change of changes) {
      Object.assign(expected, change, { updatedAt: expect.any(String) })
      const { status, data } = await home.manager.patch(path, change)
      expect(status).toBe(200)
      expect(data).toEqual(expected)
      expect((await home.manager.get(path)).data).toEqual(data)
    }
    const entries = (await world.auditOf(home.id)).filter(({ target_id }) => target_id === key['id'])
    expect(entries.map(({ action }) => action)).toEqual(['byok.key.create', ...changes.map(() => 'byok.key.update')])
    expect(entries[1]).toMatchObject({ before: { name: 'Ours' }, after: { name: 'Renamed' } })
    expect((await home.manager.patch(path, {})).status).toBe(200)
    expect((await world.auditOf(home.id)).filter(({ target_id }) => target_id === key['id'])).toHaveLength(
      entries.length,
    )
  })

  it('[BYOK-09] switches single mappings', async () => {
    const modelMappings = ['openai/gpt-4o-mini', 'openai/gpt-5.2'].map((model) => ({
      model,
      upstreamModel: 'x',
      enabled: true,
    }))
    const key = await home.addOwnKey({ modelMappings })
    const path = `${byokPath}/${key['id']}`
    const off = await home.manager.patch(path, { modelToggles: { 'openai/gpt-5.2': false } })
    expect(off.data['modelMappings']).toEqual([modelMappings[0], { ...modelMappings[1], enabled: false }])
    expect((await home.manager.patch(path, { modelToggles: { 'openai/unheard-of': true } })).status).toBe(400)
    const on = await home.manager.patch(path, { modelToggles: { 'openai/gpt-5.2': true } })
    expect(on.data['modelMappings']).toEqual(modelMappings)
  })

  it('[BYOK-10] replaces the list of scoped keys', async () => {
    const other = await world.addOrganizationKey(home.id)
    const key = await home.addOwnKey({ scopedApiKeyIds: [home.key.keyId] })
    const path = `${byokPath}/${key['id']}`
    const replaced = await home.manager.patch(path, { scopedApiKeyIds: [other.keyId] })
    expect(replaced.data['scopedApiKeyIds']).toEqual([other.keyId])
    expect((await home.manager.patch(path, { scopedApiKeyIds: [] })).data['scopedApiKeyIds']).toEqual([])
  })

  it('[BYOK-17] is for management keys of an organization, in the hands of its administrators', async () => {
    const { keyId: _, key: standard } = home.key
    const personal = await world.addKey(home.adminMember.userId, { type: 'management' })
    const member = await world.addMember(home.id, { role: 'billing_viewer' })
    const terms = { type: 'management' } as const
    const viewers = await world.addOrganizationKey(home.id, { memberId: member.memberId, terms })
    const nobodys = await world.addOrganizationKey(home.id, { terms })
    const id = newUuid(Date.now())
    for (const key of [standard, personal.key, viewers.key, nobodys.key]) {
      const client = world.as(key)
      const statuses = await Promise.all([
        client.get(byokPath),
        client.post(byokPath, newKeyBody(world.own)),
        client.get(`${byokPath}/${id}`),
        client.patch(`${byokPath}/${id}`, {}),
        client.delete(`${byokPath}/${id}`),
      ])
      expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    }
    expect((await world.as(await world.signIn(home.adminMember.userId)).get(byokPath)).status).toBe(401)
  })
})
