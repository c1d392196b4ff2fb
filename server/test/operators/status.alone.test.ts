import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wireWorker } from '#bin/wiring/wire-worker.ts'
import { parseConfig } from '#config/parse-config.ts'
import { newUuid } from '#lib/uuid.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'

describe('weir status', () => {
  let gateway: TestGateway
  let worker: ReturnType<typeof wireWorker>

  beforeAll(async () => {
    gateway = await startTestGateway()
    await gateway.addProvider({ vendor: 'openai', url: 'http://127.0.0.1:9' })
    const operating = await gateway.gateway.operating.listen({ host: '127.0.0.1', port: 0 })
    const env = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: gateway.databaseUrl, WEIR_DATA_DIR: gateway.dataDir }
    worker = wireWorker(parseConfig({ env: { ...env, WEIR_WORKER_PORT: '0' } }), pino({ level: 'silent' }))
    const working = await worker.start()
    const ports = { WEIR_OPERATING_PORT: new URL(operating).port, WEIR_WORKER_PORT: new URL(working).port }
    Object.assign(process.env, env, ports)
  })
  afterAll(async () => {
    await worker.close()
    await gateway.close()
  })

  it('shows a service that is well, and exits with 0', async () => {
    await expect.poll(() => runWeir('status')).toMatchObject({ code: 0, error: '' })
    const { out } = await runWeir('status')
    expect(out).not.toMatch(/^(?:warning|fault)/m)
    expect(out).toMatch(/^ok +build +weir \S+ \(Node/m)
    expect(out).toMatch(/^ok +gateways +127\.0\.0\.1:\d+ is ready; connected to Postgres from \S+$/m)
    expect(out).toMatch(/^ok +workers +127\.0\.0\.1:\d+ is ready; connected to Postgres from \S+$/m)
    expect(out).toMatch(/^ok +routing +1 of 1 provider accounts enabled/m)
    expect(out).toMatch(/^ok +queue +\S+ has 0 queued holds and settlements, and 0 spooled settlements$/m)
    expect(out).toMatch(/^ok +books +the last reconciliation/m)
    expect(out.trimEnd()).toMatch(/No problems found\.$/)
  })

  it('shows what is wrong with what to do, and exits with 1', async () => {
    const { walletId } = await gateway.createClient()
    await gateway.pool.query(
      `INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until) VALUES ($1, $2, $1, 5, 5, now() + interval '1 hour')`,
      [newUuid(Date.now()), walletId],
    )
    await gateway.pool.query(
      `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
       SELECT id, 'gpt-5', 'host 1', 'upstream_auth_failed (401)', '2026-03-04T05:06:07Z', clock_timestamp() FROM provider_accounts`,
    )
    await runWeir('brake', 'on', '--reason', 'drill')
    const { code, out } = await runWeir('status')
    expect(code).toBe(1)
    expect(out).toMatch(
      /^fault +circuits +openai has been failing since 2026-03-04 05:06 UTC on 1 gateway: upstream_auth/m,
    )
    expect(out).toMatch(/^ +→ weir provider test openai$/m)
    expect(out).toMatch(/^fault +brake +on since \S+ \S+ UTC \(drill\)/m)
    expect(out).toMatch(/^ok +holds +1 requests hold 0\.000000005 USD$/m)
    expect(out.trimEnd()).toMatch(/\n2 faults\.$/)
    const { faults, findings } = JSON.parse((await runWeir('status', '--json')).out)
    expect(faults).toBe(2)
    expect(findings).toContainEqual(expect.objectContaining({ what: 'brake', advice: 'weir brake off' }))
    await runWeir('brake', 'off')
  })

  it.each([
    [
      'the secret is another',
      { WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e' },
      /^fault +routing +WEIR_SECRET can't decrypt/m,
    ],
    [
      'Postgres is away',
      { WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir' },
      /^fault +postgres +Postgres is unavailable/m,
    ],
    ['nothing runs', { WEIR_OPERATING_PORT: '1', WEIR_WORKER_PORT: '1' }, /^ok +gateways +connected.*none responds/m],
  ])('says so where %s', async (_what, change, words) => {
    const saved = { ...process.env }
    Object.assign(process.env, change)
    const { out } = await runWeir('status')
    Object.assign(process.env, saved)
    expect(out).toMatch(words)
  })

  it('calls what it cannot see unknown and not well, which is no fault', async () => {
    const saved = { ...process.env }
    Object.assign(process.env, { WEIR_WORKER_PORT: '1' })
    const { code, out } = await runWeir('status')
    const { unknown } = JSON.parse((await runWeir('status', '--json')).out)
    Object.assign(process.env, saved)
    expect(out).toMatch(/^unknown +books +no worker responds on this machine\n +→ .*weir audit ledger$/m)
    expect(out).not.toContain('No problems found')
    expect(out.trimEnd()).toMatch(/ 1 unknown\.$/)
    expect([code, unknown]).toEqual([Number(/^fault/m.test(out)), 1])
  })

  it('says so where the schema is behind', async () => {
    const { rows } = await gateway.pool.query<{ name: string }>(
      'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations) RETURNING name',
    )
    const { code, out } = await runWeir('status')
    await gateway.pool.query('INSERT INTO schema_migrations (name) VALUES ($1)', [rows[0]?.name])
    expect(code).toBe(1)
    expect(out).toMatch(/^fault +schema +the database schema is out of date\n +→ weir migrate$/m)
  })
})
