import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

describe('the health of the installation', () => {
  let gateway: TestGateway
  let key: string

  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_POSTGRES_DISK_GB: '1024' })
    key = (await gateway.addOperatorKey()).key
    await gateway.addProvider({ vendor: 'openai', url: 'http://127.0.0.1:9' })
    await gateway.addProvider({ vendor: 'groq', url: 'http://127.0.0.1:9' })
    await gateway.pool.query(
      `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
       SELECT id, 'gpt-5', 'host 1', 'upstream_error (500)', '2026-03-04T02:10:00Z', clock_timestamp()
       FROM provider_accounts WHERE vendor = 'openai'`,
    )
  })
  afterAll(() => gateway.close())

  it('names the failing provider with its minute and reason, as weir status does', async () => {
    const { status, json } = await gateway.as(key).get('/api/admin/health')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      data: {
        failing_providers: [
          {
            account: 'openai',
            since: '2026-03-04T02:10:00.000Z',
            reason: 'upstream_error (500)',
            models: ['gpt-5'],
            gateways: 1,
          },
        ],
        status: {
          warnings: expect.any(Number),
          findings: expect.arrayContaining([
            {
              what: 'circuits',
              state: 'warning',
              says: expect.stringMatching(/^openai has been failing since 2026-03-04 02:10 UTC on 1 gateway/),
              advice: 'weir provider test openai',
            },
          ]),
        },
        doctor: {
          findings: expect.arrayContaining([
            expect.objectContaining({ what: 'disk' }),
            expect.objectContaining({
              what: 'database size',
              says: expect.stringMatching(/^\d.* of a disk of 1024\.0 GB$/),
            }),
          ]),
        },
      },
    })
  })

  it('is the operators’ alone', async () => {
    const client = await gateway.createClient()
    expect((await gateway.as(client.key).get('/api/admin/health')).status).toBe(403)
    expect((await gateway.as().get('/api/admin/health')).status).toBe(401)
  })
})
