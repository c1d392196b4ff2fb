import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letPause, offEntriesOf, rule } from './auto-payer.ts'
import { type PaymentWorld, startPaymentWorld } from './payment-world.ts'

describe('[P13] the wallet of an organization that is topped up by itself', () => {
  let world: PaymentWorld
  beforeAll(async () => {
    world = await startPaymentWorld()
  })
  afterAll(() => world.close())

  const work = () => world.work('auto-top-ups')
  /** Runs as many rounds as several workers would. */
  const workHard = async () => {
    for (let round = 0; round < 3; round += 1) await Promise.all([work(), work(), work()])
  }

  it('Q24: of an organization that is disabled is told in the log of the organization', async () => {
    const { id, walletId } = await world.createOrganization({ usd: '0' })
    const { userId } = await world.addMember(id, { role: 'org_admin' })
    const client = world.as({ cookie: await world.signIn(userId) })
    const saved = await client.send('POST', `/api/wallets/${walletId}/payment-methods`)
    const url = String(Reflect.get(Object(saved.json.data), 'url'))
    const card = world.provider.state.completeSetup(url.slice(url.lastIndexOf('/') + 1), 'declines')
    const path = `/api/wallets/${walletId}/auto-top-up`
    expect((await client.send('PUT', path, { ...rule, method_id: card.id })).status).toBe(200)
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await workHard()
      await letPause(world, { walletId })
    }
    expect((await client.send('GET', path)).json).toMatchObject({ data: { enabled: false, failures: 4 } })
    expect(await offEntriesOf(world, { walletId })).toEqual([{ chain_id: id }])
    const log = await client.send('GET', `/api/orgs/${id}/audit-log?action=auto_top_up.off`)
    expect(log.json).toMatchObject({ data: [{ action: 'auto_top_up.off' }] })
  })

  it('is chosen by administrators of an organization with a fresh sign-in, read by billing viewers, and told to all administrators', async () => {
    const { id, walletId } = await world.createOrganization({ usd: '0' })
    const member = async (role: 'org_admin' | 'billing_viewer' | 'member') => {
      const { userId } = await world.addMember(id, { role })
      return { userId, client: world.as({ cookie: await world.signIn(userId) }) }
    }
    const [admin, second, viewer, other] = [
      await member('org_admin'),
      await member('org_admin'),
      await member('billing_viewer'),
      await member('member'),
    ]
    const saved = await admin.client.send('POST', `/api/wallets/${walletId}/payment-methods`)
    const url = String(Reflect.get(Object(saved.json.data), 'url'))
    const card = world.provider.state.completeSetup(url.slice(url.lastIndexOf('/') + 1), 'asks')
    const path = `/api/wallets/${walletId}/auto-top-up`
    const body = { ...rule, method_id: card.id }
    expect((await viewer.client.send('PUT', path, body)).status).toBe(403)
    expect((await other.client.send('PUT', path, body)).status).toBe(403)
    await world.pool.query(`UPDATE auth_sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      second.userId,
    ])
    expect((await second.client.send('PUT', path, body)).json).toMatchObject({ error: { code: 'step_up_required' } })
    expect((await admin.client.send('PUT', path, body)).status).toBe(200)
    expect((await viewer.client.send('GET', path)).json).toMatchObject({ data: { enabled: true } })
    expect((await other.client.send('GET', path)).status).toBe(403)
    await workHard()
    const { rows } = await world.pool.query<{ user_id: string }>(
      `SELECT user_id FROM mail_outbox WHERE subject = 'Your bank needs you to confirm a payment' AND user_id = ANY ($1)`,
      [[admin.userId, second.userId, viewer.userId, other.userId]],
    )
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual([admin.userId, second.userId].toSorted())
    const log = await admin.client.send('GET', `/api/orgs/${id}/audit-log?action=auto_top_up.`)
    expect(log.json).toMatchObject({ data: [{ action: 'auto_top_up.update' }] })
  })
})
