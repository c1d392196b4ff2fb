import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { addRoute, removeRoute } from '#control/operators/routes.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { createPostgresOperators, type OperatorStores } from '#store/postgres/operators/postgres-operators.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import { readRevisions } from '#store/postgres/revisions.sql.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

const sealingKey = sealingKeyFrom('kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe')
const vendors = [
  {
    slug: 'acme',
    baseUrl: 'https://api.acme.test/v1',
    needsCredential: true,
    protocols: ['openai'],
    apis: ['responses'],
  },
  { slug: 'local', baseUrl: null, needsCredential: false, protocols: ['openai'], apis: [] },
] as const
const needs = { sealingKey, vendorKeepsPrompts: (vendor: string) => vendor === 'acme' }
const author = () => operatorAuthor(Date.now())

describe('what operators decide', () => {
  let database: TestDatabase
  let stores: OperatorStores

  beforeAll(async () => {
    database = await createTestDatabase()
    stores = createPostgresOperators(database.pool)
  })
  afterAll(() => database.drop())

  const add = (input: Parameters<typeof addProviderAccount>[1]) =>
    addProviderAccount({ operators: stores.operators, sealingKey, vendors }, input, author())
  const accountNamed = async (name: string) =>
    (await loadRouting(database.pool, needs)).accounts.find((account) => account.name === name)
  const revision = async (topic: string) => (await readRevisions(database.pool)).of(topic)

  it('reaches the routing table, with credentials opened and routes in the order of trying', async () => {
    await add({ vendor: 'acme', credential: ' sk-acme-canary\n' })
    await add({ vendor: 'local', name: 'rack-2', baseUrl: 'http://10.1.2.3:8000/v1/' })
    const common = { pattern: 'acme/*', upstreamModel: null }
    await addRoute(stores.operators, { ...common, accountName: 'rack-2', priority: 5 }, author())
    await addRoute(
      stores.operators,
      { ...common, accountName: 'acme', priority: 1, upstreamModel: 'big-one' },
      author(),
    )
    const table = await loadRouting(database.pool, needs)
    expect(table.revision).toBe(await revision('routing'))
    expect(table.accounts).toMatchObject([
      { name: 'acme', vendor: 'acme', baseUrl: null, credential: 'sk-acme-canary' },
      { name: 'rack-2', vendor: 'local', baseUrl: 'http://10.1.2.3:8000/v1', credential: null },
    ])
    const routes = table.routes.get('acme/*') ?? []
    expect(routes.map((route) => [route.account.name, route.upstreamModel])).toEqual([
      ['acme', 'big-one'],
      ['rack-2', null],
    ])
  })

  it('sends conversations through an interface that the vendor has, and through no other', async () => {
    const deps = { operators: stores.operators, vendors }
    await add({ vendor: 'acme', name: 'acme-9', credential: 'k', api: 'responses' })
    expect(await accountNamed('acme-9')).toMatchObject({ api: 'responses' })
    await changeProviderAccount(deps, { name: 'acme-9', api: null }, author())
    expect(await accountNamed('acme-9')).not.toHaveProperty('api')
    const refused = 'local does not support the API responses.'
    const local = { vendor: 'local', name: 'rack-9', baseUrl: 'http://10.1.2.3:8000', api: 'responses' } as const
    await expect(add(local)).rejects.toThrow(refused)
    await expect(changeProviderAccount(deps, { name: 'rack-2', api: 'responses' }, author())).rejects.toThrow(refused)
    expect(await accountNamed('rack-2')).not.toHaveProperty('api')
  })

  it('moves the revision with every change and never without one', async () => {
    const changes = [
      () => add({ vendor: 'acme', name: 'acme-2', credential: 'k' }),
      () =>
        addRoute(stores.operators, { pattern: '*', accountName: 'acme-2', upstreamModel: null, priority: 0 }, author()),
      () =>
        changeProviderAccount({ operators: stores.operators, vendors }, { name: 'acme-2', enabled: false }, author()),
      () =>
        changeProviderAccount({ operators: stores.operators, vendors }, { name: 'acme-2', enabled: true }, author()),
      () => removeRoute(stores.operators, { pattern: '*', accountName: 'acme-2' }, author()),
    ]
    for (const change of changes) {
      const before = await revision('routing')
      await change()
      expect(await revision('routing')).toBe(before + 1)
    }
    const before = await revision('routing')
    await expect(add({ vendor: 'acme', name: 'acme-2', credential: 'k' })).rejects.toThrow('already')
    await expect(removeRoute(stores.operators, { pattern: '*', accountName: 'acme-2' }, author())).rejects.toThrow(
      'No route from * to acme-2 exists',
    )
    await expect(
      changeProviderAccount({ operators: stores.operators, vendors }, { name: 'none', enabled: true }, author()),
    ).rejects.toThrow('none')
    expect(await revision('routing')).toBe(before)
  })

  it('takes a disabled account and its routes out of the table, and keeps both', async () => {
    await changeProviderAccount({ operators: stores.operators, vendors }, { name: 'acme', enabled: false }, author())
    const table = await loadRouting(database.pool, needs)
    expect(table.accounts.map(({ name }) => name)).not.toContain('acme')
    expect(table.routes.get('acme/*')?.map((route) => route.account.name)).toEqual(['rack-2'])
    await changeProviderAccount({ operators: stores.operators, vendors }, { name: 'acme', enabled: true }, author())
    expect((await loadRouting(database.pool, needs)).routes.get('acme/*')).toHaveLength(2)
  })

  it('never stores a credential in the open, and binds it to its row', async () => {
    const { rows } = await database.pool.query<{ row: string }>('SELECT a::text AS row FROM provider_accounts a')
    expect(rows.map(({ row }) => row).join()).not.toContain('sk-acme-canary')
    expect(JSON.stringify(await stores.operators.listAccounts())).not.toContain('wrappedKey')
    const wrong = loadRouting(database.pool, {
      ...needs,
      sealingKey: sealingKeyFrom('another secret of sufficient length'),
    })
    await expect(wrong).rejects.toThrow(/provider account acme/)
    await database.pool.query(
      `UPDATE provider_accounts SET credential = (SELECT credential FROM provider_accounts WHERE name = 'acme') WHERE name = 'acme-2'`,
    )
    await expect(loadRouting(database.pool, needs)).rejects.toThrow('acme-2')
    await database.pool.query(`DELETE FROM provider_accounts WHERE name = 'acme-2'`)
  })

  it('refuses accounts and routes that could never work', async () => {
    await expect(add({ vendor: 'unheard-of', credential: 'k' })).rejects.toThrow('acme, local')
    await expect(add({ vendor: 'acme', name: 'x' })).rejects.toThrow('requires a key')
    await expect(add({ vendor: 'local', name: 'x' })).rejects.toThrow('base URL')
    for (const baseUrl of ['ftp://h', 'h', 'https://user:pw@h', 'https://h/v1?key=1']) {
      await expect(add({ vendor: 'local', name: 'x', baseUrl }), baseUrl).rejects.toThrow('base URL')
    }
    const route = { accountName: 'acme', upstreamModel: null, priority: 0 }
    for (const pattern of ['', 'acme', 'Acme/x', '*/x', 'acme/**', 'acme/*/x']) {
      await expect(addRoute(stores.operators, { ...route, pattern }, author()), pattern).rejects.toThrow('pattern')
    }
    await expect(addRoute(stores.operators, { ...route, pattern: '*', accountName: 'none' }, author())).rejects.toThrow(
      'none',
    )
  })

  it('engages and releases the brake, moving its revision', async () => {
    const before = await revision('brake')
    await engageBrake(stores.operators, { retryAfterS: 30, reason: 'runaway spend' }, author())
    expect(await stores.operators.readBrake()).toEqual({ engaged: true, retryAfterS: 30, reason: 'runaway spend' })
    await releaseBrake(stores.operators, author())
    expect(await stores.operators.readBrake()).toEqual({ engaged: false })
    expect(await revision('brake')).toBe(before + 2)
    await expect(engageBrake(stores.operators, { retryAfterS: 60, reason: null }, author())).rejects.toThrow(
      '30 or 300',
    )
  })
})
