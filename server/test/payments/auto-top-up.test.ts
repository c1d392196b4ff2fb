import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { createAutoTopUps } from '#store/postgres/payments/postgres-auto-top-ups.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { sendMails } from '#test/setup/send-mails.ts'
import {
  attemptsOf,
  autoPayer,
  type AutoPayer,
  cardOwner,
  chargesOf,
  hold,
  letPause,
  offEntriesOf,
  readRule,
  rule,
} from './auto-payer.ts'
import { type PaymentWorld, startPaymentWorld } from './payment-world.ts'

describe('[P13] a wallet that is topped up by itself', () => {
  let world: PaymentWorld
  let mailServer: MailServer
  beforeAll(async () => {
    mailServer = await startMailServer()
    world = await startPaymentWorld({ gateways: 2 })
  })
  afterAll(async () => {
    await world.close()
    await mailServer.close()
  })
  // After every test the ledger agrees with itself and with the provider's ledger.
  afterEach(async () => {
    await world.deliver()
    await world.keepBooks()
    expect(await world.audit()).toEqual([])
  })

  const work = () => world.work('auto-top-ups')
  /** Runs as many rounds as several workers would. */
  const workHard = async () => {
    for (let round = 0; round < 3; round += 1) await Promise.all([work(), work(), work()])
  }
  const mailsOf = async ({ userId }: AutoPayer): Promise<string[]> => {
    const { rows } = await world.pool.query<{ subject: string }>(
      `SELECT subject FROM mail_outbox WHERE user_id = $1 ORDER BY id`,
      [userId],
    )
    return rows.map(({ subject }) => subject)
  }

  it('is not, unless its owner has chosen so', async () => {
    const payer = await cardOwner(world)
    expect(await readRule(world, payer)).toEqual({
      enabled: false,
      threshold: null,
      target: null,
      day_max: null,
      month_max: null,
      method_id: null,
      bought_today: 0,
      bought_this_month: 0,
      failures: 0,
      last_failure: null,
      paused_until: null,
    })
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual([])
  })

  it('is brought to the target by one charge, with the fee on top, and booked like every payment', async () => {
    const payer = await autoPayer(world, { usd: '9.995' })
    await workHard()
    // The gap of 40.005 is rounded up to a cent.
    expect(await attemptsOf(world, payer)).toEqual(['paid 40.01'])
    expect(chargesOf(world, payer)).toEqual([4_402])
    expect(await world.balanceOf(payer)).toBe('50.005')
    expect(await world.transfersOf(payer.walletId)).toEqual([
      expect.stringContaining('grant'),
      'top_up cash>wallet 40.01',
      'fee cash>fees 4.01',
      'processor_fee processor>cash 1.58',
    ])
    expect(await readRule(world, payer)).toMatchObject({ enabled: true, bought_today: 40.01, bought_this_month: 40.01 })
    const { rows } = await world.pool.query(
      `SELECT details -> 'automatic' AS automatic FROM audit_entries WHERE action = 'top_up.order' AND target_id = $1`,
      [payer.walletId],
    )
    expect(rows).toEqual([{ automatic: true }])
  })

  it('is left alone at the threshold, and judged on what is not held', async () => {
    const payer = await autoPayer(world, { usd: '10' })
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual([])
    await hold(world, payer, '4')
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['paid 44'])
    expect(await world.walletOf(payer.walletId)).toMatchObject({ balance: '54', held: '4' })
  })

  it('waits for credit that is being paid for', async () => {
    const payer = await autoPayer(world, { usd: '1' })
    const { id } = await world.order(payer, 25)
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual([])
    // The payer has left the page.
    await world.pool.query(`UPDATE top_ups SET created_at = now() - interval '11 minutes' WHERE id = $1`, [id])
    world.pay(id, { later: true })
    await world.deliver()
    await letPause(world, payer)
    await workHard()
    // A bank needs time.
    expect(await attemptsOf(world, payer)).toEqual([])
    world.provider.state.failLate(world.provider.state.sessionOf(String(id))?.id ?? '')
    await world.deliver()
    await letPause(world, payer)
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['paid 49'])
  })

  it('does not wait for a page that its payer has left', async () => {
    const payer = await autoPayer(world, { usd: '1' })
    const { id } = await world.order(payer, 25)
    await world.pool.query(`UPDATE top_ups SET created_at = now() - interval '11 minutes' WHERE id = $1`, [id])
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['paid 49'])
  })

  it('is charged after 1, 6 and 24 hours where the card is declined, and then is off with a mail', async () => {
    const payer = await autoPayer(world, { usd: '1', temper: 'declines' })
    const pauses: unknown[] = []
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await workHard()
      const { rows } = await world.pool.query<{ hours: string }>(
        `SELECT round(extract(epoch FROM look_at - now()) / 3600) AS hours FROM auto_top_ups WHERE wallet_id = $1`,
        [payer.walletId],
      )
      const { enabled, failures, last_failure: why } = await readRule(world, payer)
      pauses.push([enabled, failures, why, enabled === true ? Number(rows[0]?.hours) : null])
      await letPause(world, payer)
    }
    expect(pauses).toEqual([
      [true, 1, 'declined', 1],
      [true, 2, 'declined', 6],
      [true, 3, 'declined', 24],
      [false, 4, 'declined', null],
    ])
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['expired 49', 'expired 49', 'expired 49', 'expired 49'])
    expect(await readRule(world, payer)).toMatchObject({ bought_today: 0, paused_until: null })
    expect(await mailsOf(payer)).toEqual(['Auto top-up is off: your card was declined'])
    await sendMails(world.pool, mailServer)
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [payer.userId])
    const mail = await mailServer.nextTo(rows[0]?.email ?? '')
    expect(mail.headers['subject']).toBe('Auto top-up is off: your card was declined')
    expect(mail.text).toContain('https://weir.test/console/credits')
    expect(await offEntriesOf(world, payer)).toEqual([{ chain_id: '00000000-0000-0000-0000-000000000000' }])
  })

  it('tells the time until which it is paused, and forgets failures with the first payment', async () => {
    const payer = await autoPayer(world, { usd: '1', temper: 'declines' })
    await workHard()
    expect(await readRule(world, payer)).toMatchObject({ failures: 1, paused_until: expect.any(String) })
    payer.card.temper = 'pays'
    await letPause(world, payer)
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['expired 49', 'paid 49'])
    expect(await readRule(world, payer)).toMatchObject({ failures: 0, last_failure: null, paused_until: null })
    expect(await mailsOf(payer)).toEqual([])
  })

  it('mails a link where the bank wants the owner of the card', async () => {
    const payer = await autoPayer(world, { usd: '1', temper: 'asks' })
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['expired 49'])
    expect(await readRule(world, payer)).toMatchObject({ enabled: true, last_failure: 'authentication_required' })
    expect(await mailsOf(payer)).toEqual(['Your bank needs you to confirm a payment'])
    await sendMails(world.pool, mailServer)
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [payer.userId])
    const mail = await mailServer.nextTo(rows[0]?.email ?? '')
    expect(mail.text).toContain('https://weir.test/console/credits')
    expect(mail.text).toContain('$49 of credit')
  })

  it('is topped up by the news of a bank that takes its time, and by no second charge meanwhile', async () => {
    const payer = await autoPayer(world, { usd: '1', temper: 'takes time' })
    await workHard()
    await letPause(world, payer)
    await workHard()
    await world.deliver()
    expect(await attemptsOf(world, payer)).toEqual(['open 49'])
    const [payment] = [...world.provider.state.payments.values()].slice(-1)
    world.provider.state.succeedCharge(payment?.id ?? '')
    expect(await world.deliver()).toEqual([200])
    expect(await attemptsOf(world, payer)).toEqual(['paid 49'])
    expect(await world.balanceOf(payer)).toBe('50')
  })

  it('is left alone while a payment of it is disputed', async () => {
    const payer = await autoPayer(world, { usd: '1' })
    await workHard()
    const payment = [...world.provider.state.payments.values()].find((each) => each.payment_method === payer.card.id)
    const dispute = world.provider.state.dispute(payment?.id ?? '')
    await world.deliver()
    await letPause(world, payer)
    await workHard()
    expect(await world.balanceOf(payer)).toBe('1')
    expect(await attemptsOf(world, payer)).toEqual(['disputed 49'])
    world.provider.state.lose(dispute.id)
    await world.deliver()
    await letPause(world, payer)
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['lost 49', 'paid 49'])
  })

  it('is bought no more for than the caps allow', async () => {
    const payer = await autoPayer(world, { day_max: 60, month_max: 70 })
    for (const bought of [['paid 50'], ['paid 50', 'paid 10'], ['paid 50', 'paid 10']]) {
      await letPause(world, payer)
      await workHard()
      expect(await attemptsOf(world, payer)).toEqual(bought)
      const { balance, held } = await world.walletOf(payer.walletId)
      await hold(world, payer, String(Number(balance) - Number(held)))
    }
    expect(await readRule(world, payer)).toMatchObject({ bought_today: 60, bought_this_month: 60 })
  })

  it('counts what was bought by itself in the day and in the month, by UTC', async () => {
    const payer = await autoPayer(world)
    await workHard()
    const boughtAt = async (moment: string, nowMs: number) => {
      await world.pool.query('UPDATE top_ups SET created_at = $2 WHERE wallet_id = $1', [payer.walletId, moment])
      const standing = await createAutoTopUps(world.pool).readStanding(payer.walletId, nowMs)
      return [standing.boughtToday, standing.boughtThisMonth].map(Number)
    }
    const nowMs = Date.UTC(2030, 4, 17, 12)
    expect(await boughtAt('2030-05-17T00:00:00Z', nowMs)).toEqual([50e9, 50e9])
    expect(await boughtAt('2030-05-16T23:59:59.999Z', nowMs)).toEqual([0, 50e9])
    expect(await boughtAt('2030-05-01T00:00:00Z', nowMs)).toEqual([0, 50e9])
    expect(await boughtAt('2030-04-30T23:59:59.999Z', nowMs)).toEqual([0, 0])
  })

  it('is bought no more for than a new account may buy', async () => {
    const payer = await autoPayer(world, { threshold: 10, target: 600, day_max: 1_000, month_max: 1_000 })
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual([])
    await world.pool.query(`UPDATE users SET created_at = now() - interval '8 days' WHERE id = $1`, [payer.userId])
    await letPause(world, payer)
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual(['paid 600'])
  })

  it('is left alone while its owner is suspended', async () => {
    const payer = await autoPayer(world)
    await world.pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [payer.userId])
    await workHard()
    expect(await attemptsOf(world, payer)).toEqual([])
  })

  it('is finished by the next worker where the provider could not be asked, and charged once', async () => {
    for (const fault of ['500-before', 'hang-up'] as const) {
      const payer = await autoPayer(world, { usd: '1' })
      world.provider.failNext('POST /v1/payment_intents', fault, fault, fault)
      await work()
      expect(await attemptsOf(world, payer)).toEqual(['open 49'])
      await letPause(world, payer)
      await work()
      await world.letPass()
      await Promise.all([world.work('payments'), world.work('payments')])
      expect(await attemptsOf(world, payer)).toEqual(['paid 49'])
      expect(chargesOf(world, payer)).toEqual([5_390])
    }
  })

  it('is given up after twenty minutes where the provider never heard of the order, and tried anew', async () => {
    const payer = await autoPayer(world, { usd: '1' })
    world.provider.failNext('POST /v1/payment_intents', '500-before', '500-before', '500-before')
    await work()
    const age = async (minutes: number) => {
      await world.pool.query(
        `UPDATE top_ups SET created_at = now() - $2::integer * interval '1 minute' WHERE wallet_id = $1`,
        [payer.walletId, minutes],
      )
      await world.letPass()
      await world.work('payments')
    }
    await age(11)
    expect(await attemptsOf(world, payer)).toEqual(['open 49'])
    await age(21)
    expect(await attemptsOf(world, payer)).toEqual(['expired 49'])
    expect(chargesOf(world, payer)).toEqual([])
    await letPause(world, payer)
    await work()
    expect(await attemptsOf(world, payer)).toEqual(['expired 49', 'paid 49'])
    expect(await readRule(world, payer)).toMatchObject({ failures: 0 })
  })

  it('is disabled with its card, by its owner, and with its owner', async () => {
    const removed = await autoPayer(world)
    const card = `/api/wallets/${removed.walletId}/payment-methods/${removed.card.id}`
    expect((await world.as(removed.session).send('DELETE', card)).status).toBe(204)
    const quiet = await autoPayer(world)
    const off = await world
      .as(quiet.session)
      .send('PUT', `/api/wallets/${quiet.walletId}/auto-top-up`, { enabled: false })
    expect(off.json).toMatchObject({ data: { enabled: false, threshold: 10, method_id: quiet.card.id } })
    const gone = await autoPayer(world)
    const { rows: people } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      gone.userId,
    ])
    const erased = await world.as(gone.session).send('POST', '/api/account/delete', { email: people[0]?.email ?? '' })
    expect(erased.status).toBe(204)
    await workHard()
    for (const payer of [removed, quiet, gone]) expect(await attemptsOf(world, payer)).toEqual([])
    const { rows } = await world.pool.query(
      `SELECT action FROM audit_entries WHERE target_id = $1 AND action LIKE 'auto_top_up.%' ORDER BY sequence`,
      [quiet.walletId],
    )
    expect(rows).toEqual([{ action: 'auto_top_up.update' }, { action: 'auto_top_up.off' }])
  })

  it.each<[string, JsonObject]>([
    ['enabled is no flag', { enabled: 'yes' }],
    ['a card of another wallet', { method_id: 'pm_other' }],
    ['no card', { method_id: null }],
    ['no threshold', { threshold: null }],
    ['less than nothing', { threshold: -1 }],
    ['a part of a cent', { threshold: 1.001 }],
    ['a target too near', { target: 14.99 }],
    ['a day below the least amount', { day_max: 4.99 }],
    ['a month below the day', { month_max: 199 }],
    ['more than anybody has', { month_max: 1_000_001 }],
  ])('is refused where that makes no sense: %s', async (_, body) => {
    const payer = await cardOwner(world)
    const path = `/api/wallets/${payer.walletId}/auto-top-up`
    const all = { ...rule, method_id: payer.card.id }
    expect((await world.as(payer.session).send('PUT', path, { ...all, ...body })).status).toBe(400)
    expect((await world.as(payer.session).send('PUT', path, all)).status).toBe(200)
  })
})
