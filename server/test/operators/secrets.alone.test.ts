import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { signInSecret } from '#bin/sign-in-secret.ts'
import { seal, sealingKeyFrom } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import { createEvidenceStore } from '#store/postgres/moderation/evidence-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testRedisUrl } from '#test/setup/redis.ts'

const oldSecret = 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe'
const newSecret = 'Zq8wSx5eDc2rFv9tGb4yHn7uJm1iKo3p'
const canary = 'sk-vendor-canary-91ab'
const sealedTables = [
  'provider_accounts',
  'own_keys',
  'sign_on_connections',
  'webhook_secrets',
  'video_jobs',
  'moderation_evidence',
  'stored_responses',
  'files',
  'batches',
]
const places = [...sealedTables, 'auth_two_factors']

describe('weir secrets rotate', () => {
  let database: TestDatabase
  let evidenceId: string
  const saved = { ...process.env }

  beforeAll(async () => {
    database = await createTestDatabase()
    Object.assign(process.env, { WEIR_POSTGRES_URL: database.url, WEIR_REDIS_URL: testRedisUrl() })
    use({ secret: oldSecret })
    await weir('provider add openai --key -', `${canary}\n`)
    evidenceId = await addEvidence(database)
    await addOwnKey(database)
    await addSecondFactor(database)
    await addConnection(database)
    await addWebhookSecret(database)
    await addVideoJob(database)
    await addStoredResponse(database)
    await addBatch(database)
  })
  afterAll(async () => {
    for (const name of ['WEIR_SECRET', 'WEIR_PREVIOUS_SECRETS', 'WEIR_POSTGRES_URL', 'WEIR_REDIS_URL']) {
      if (saved[name] === undefined) delete process.env[name]
      else process.env[name] = saved[name]
    }
    await database.drop()
  })

  it('refuses nothing and touches nothing while the old secret is not at hand', async () => {
    use({ secret: newSecret })
    const before = await allSealed(database)
    expect(before).toHaveLength(sealedTables.length)
    const { code, out } = await weir('secrets rotate')
    expect(code).toBe(3)
    expect(out).toContain('no configured secret decrypts')
    expect(await allSealed(database)).toEqual(before)
  })

  it('opens what the previous secret sealed before anything is rotated', async () => {
    const both = sealingKeyFrom(newSecret, [oldSecret])
    expect(await credentialWith(database, both)).toBe(canary)
  })

  it('puts every sealed value in the database under the new secret, and leaves nothing to do', async () => {
    use({ secret: newSecret, previous: oldSecret })
    const { code, out } = await weir('secrets rotate')
    expect({ code, out }).toEqual({
      code: 0,
      out: `${places.map((place) => `${place}: 1 re-encrypted\n`).join('')}`,
    })
    const current = sealingKeyFrom(newSecret)
    for (const { keyId } of await allSealed(database)) expect(keyId).toBe(current.id)
    expect(await credentialWith(database, current)).toBe(canary)
    const evidence = await createEvidenceStore(database.pool, current).open(
      evidenceId,
      { actor: { kind: 'operator', id: null, name: null }, requestId: null },
      Date.now(),
    )
    expect(evidence?.content.parts[0]?.content).toBe('forbidden words')
    expect((await weir('secrets rotate')).out).toBe(places.map((place) => `${place}: 0 re-encrypted\n`).join(''))
    expect(await rotations(database)).toBe(places.length)
    expect(await secondFactorWith(database, newSecret)).toEqual({ secret: 'JBSWY3DPEHPK3PXP', backupCodes: '["a-b"]' })
  })

  it('goes on where a broken run stopped, two at once', async () => {
    use({ secret: oldSecret })
    for (let count = 0; count < 30; count += 1) await addEvidence(database)
    use({ secret: newSecret, previous: oldSecret })
    const runs = await Promise.all([weir('secrets rotate --json'), weir('secrets rotate --json')])
    expect(runs.map(({ code }) => code)).toEqual([0, 0])
    const rotated = runs.map(({ out }) => out.match(/"rotated": (\d+)/g)?.join() ?? '')
    expect(
      rotated
        .join()
        .match(/\d+/g)
        ?.reduce((sum, count) => sum + Number(count), 0),
    ).toBe(30)
    const current = sealingKeyFrom(newSecret)
    for (const { keyId } of await allSealed(database)) expect(keyId).toBe(current.id)
  })

  it('refuses previous secrets that are too short to have been secrets', async () => {
    use({ secret: newSecret, previous: 'short' })
    expect(await weir('secrets rotate')).toMatchObject({
      code: 1,
      error: expect.stringContaining('WEIR_PREVIOUS_SECRETS'),
    })
  })
})

function use({ secret, previous }: { secret: string; previous?: string }): void {
  process.env['WEIR_SECRET'] = secret
  process.env['WEIR_PREVIOUS_SECRETS'] = previous ?? ''
}

async function weir(line: string, input = '') {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => input,
  })
  return { code, out, error }
}

async function addBatch({ pool }: TestDatabase): Promise<void> {
  const id = newUuid(Date.now())
  const key = sealingKeyFrom(oldSecret)
  await pool.query(
    `INSERT INTO files (id, wallet_id, purpose, name, byte_count, sealed_key, created_at, expires_at)
     VALUES ($1, $1, 'batch', 'lines.jsonl', 0, $2, now(), now())`,
    [id, seal(key, 'data-key-canary', `file ${id}`)],
  )
  await pool.query(
    `INSERT INTO batches (id, wallet_id, key_id, api, endpoint, input_file_id, sealed_key, created_at, expires_at,
       client_network)
     VALUES ($1, $1, $1, 'openai', '/v1/responses', $1, $2, now(), now(), '192.0.2.1')`,
    [id, seal(key, 'data-key-canary', `batch ${id}`)],
  )
}

async function addWebhookSecret({ pool }: TestDatabase): Promise<void> {
  const walletId = newUuid(Date.now())
  await pool.query(`INSERT INTO wallets (id, owner_kind, owner_id) VALUES ($1, 'user', $1)`, [walletId])
  const sealed = JSON.stringify(seal(sealingKeyFrom(oldSecret), 'whsec_canary', walletId))
  await pool.query('INSERT INTO webhook_secrets (id, secret) VALUES ($1, $2)', [walletId, sealed])
}

async function addConnection({ pool }: TestDatabase): Promise<void> {
  const [id, organizationId] = [newUuid(Date.now()), newUuid(Date.now())]
  await pool.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Sealed', 'sealed')`, [organizationId])
  const sealed = JSON.stringify(seal(sealingKeyFrom(oldSecret), 'client-secret-canary', id))
  await pool.query(
    `INSERT INTO sign_on_connections (id, organization_id, kind, name, settings, secret)
     VALUES ($1, $2, 'oidc', 'Provider', '{}', $3)`,
    [id, organizationId, sealed],
  )
}

/** A running job; an ended one has nothing sealed. */
async function addVideoJob({ pool }: TestDatabase): Promise<void> {
  for (const state of ['accepted', 'failed']) {
    const id = newUuid(Date.now())
    const task = JSON.stringify(seal(sealingKeyFrom(oldSecret), '{}', id))
    await pool.query(
      `INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url, deadline_at)
       VALUES ($1, $1, 'acme/film', $2, '[]', '{}', 0, '[]', '{}', $3, '', now() + interval '1 hour')`,
      [id, state === 'failed' ? null : task, state],
    )
  }
}

async function addStoredResponse({ pool }: TestDatabase): Promise<void> {
  const id = newUuid(Date.now())
  const sealed = JSON.stringify(seal(sealingKeyFrom(oldSecret), 'data-key-canary', `stored response ${id}`))
  await pool.query(
    `INSERT INTO stored_responses (id, wallet_id, state, bytes, sealed_key, expires_at)
     VALUES ($1, $1, 'ended', 0, $2, now() + interval '1 hour')`,
    [id, sealed],
  )
}

/** All sealed values in any column of any table: a column that the rotation misses would be found here. */
async function allSealed({ pool }: TestDatabase): Promise<{ place: string; keyId: string }[]> {
  const columns = await pool.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('json', 'jsonb') ORDER BY 1, 2`,
  )
  const found: { place: string; keyId: string }[] = []
  for (const { table_name, column_name } of columns.rows) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT "${column_name}"->>'keyId' AS id FROM "${table_name}" WHERE "${column_name}"->>'wrappedKey' IS NOT NULL`,
    )
    for (const { id } of rows) found.push({ place: `${table_name}.${column_name}`, keyId: id })
  }
  return found
}

async function credentialWith({ pool }: TestDatabase, sealingKey: ReturnType<typeof sealingKeyFrom>) {
  const { accounts } = await loadRouting(pool, { sealingKey, vendorKeepsPrompts: () => true })
  return accounts[0]?.credential
}

async function rotations({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `SELECT count(*) AS count FROM audit_entries WHERE action = 'secrets.rotate'`,
  )
  return Number(rows[0]?.count)
}

async function addEvidence({ pool }: TestDatabase): Promise<string> {
  const id = newUuid(Date.now())
  await createEvidenceStore(pool, sealingKeyFrom(oldSecret)).keep({
    id,
    atMs: Date.now(),
    expiresAtMs: Date.now() + 60_000,
    keyId: id,
    userId: null,
    organizationId: null,
    sessionId: null,
    requestId: null,
    endpoint: 'chat',
    model: 'test/echo',
    source: 'built-in',
    categories: ['weapons'],
    content: { isPartial: false, parts: [{ text: 0, start: 0, content: 'forbidden words' }] },
  })
  return id
}

async function addOwnKey({ pool }: TestDatabase): Promise<void> {
  const [id, organizationId] = [newUuid(Date.now()), newUuid(Date.now())]
  await pool.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Acme', 'acme')`, [organizationId])
  await pool.query(
    `INSERT INTO own_keys (id, organization_id, name, base_url, credential, key_mask, protocol, fallback_mode)
     VALUES ($1, $2, 'own', 'https://api.acme.test/v1', $3, 'sk-…1', 'openai', 'seamless')`,
    [id, organizationId, JSON.stringify(seal(sealingKeyFrom(oldSecret), 'sk-own', id))],
  )
}

async function addSecondFactor({ pool }: TestDatabase): Promise<void> {
  const id = newUuid(Date.now())
  const key = signInSecret(oldSecret)
  await pool.query(`INSERT INTO auth_users (id, email, name) VALUES ($1, 'ada@weir.test', 'Ada')`, [id])
  const secret = await symmetricEncrypt({ key, data: 'JBSWY3DPEHPK3PXP' })
  const codes = await symmetricEncrypt({ key, data: '["a-b"]' })
  await pool.query(`INSERT INTO auth_two_factors (id, user_id, secret, backup_codes) VALUES ($1, $1, $2, $3)`, [
    id,
    secret,
    codes,
  ])
}

async function secondFactorWith({ pool }: TestDatabase, masterSecret: string) {
  const { rows } = await pool.query<{ secret: string; backup_codes: string }>(
    'SELECT secret, backup_codes FROM auth_two_factors',
  )
  const key = signInSecret(masterSecret)
  return {
    secret: await symmetricDecrypt({ key, data: rows[0]?.secret ?? '' }),
    backupCodes: await symmetricDecrypt({ key, data: rows[0]?.backup_codes ?? '' }),
  }
}
