import assert from 'node:assert/strict'
import { newUuid } from '#lib/uuid.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { insertEndCustomer } from '#store/postgres/end-customers/end-customers.sql.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { attackLimit, oneDollar, openSeats, type Seat } from '../setup/attack-limit.ts'
import type { Random } from '../setup/random.ts'
import type { World } from '../setup/world.ts'

type Client = Awaited<ReturnType<World['createClient']>>

/** P1, for the customers of a wallet's owner. */
export const customers: Drill = {
  name: 'customers',
  requires:
    "500 parallel calls over three gateways against a customer's limit of $1.00, then against another's prepaid balance of $1.00, one gateway killed: never above it, less than 2 % unused",
  async start(world) {
    await addUpstream(world)
    const seats = await openSeats(world)
    return async (random, point) => {
      const client = await world.createClient()
      const externalId = `customer-${point}`
      const id = await createCustomer(world, client.walletId, externalId)
      await attackLimit(world, {
        random,
        seats,
        limit: {
          client: { key: client.key, headers: { 'x-weir-customer': externalId } },
          refusal: '402 customer_limit_reached',
          readSums: () => readSums(world, id),
        },
      })
      await attackBalance(world, { random, seats, client, externalId: `prepaid-${point}` })
    }
  },
}

/** The other money of the wallet stays as it is, whatever the customer's requests do. */
async function attackBalance(
  world: World,
  { random, seats, client, externalId }: { random: Random; seats: readonly Seat[]; client: Client; externalId: string },
): Promise<void> {
  const { pool } = world
  const { walletId } = client
  const id = await createCustomer(world, walletId, externalId)
  await pool.query('UPDATE end_customers SET is_prepaid = true, total_limit_nano = NULL WHERE id = $1', [id])
  const { rows } = await pool.query<{ balance: string | null }>(
    'SELECT balance_nano AS balance FROM move_customer_balance($1, $2, $3, $4)',
    [newUuid(Date.now()), walletId, id, oneDollar],
  )
  assert.equal(rows[0]?.balance, oneDollar.toString())
  const others = await readOthers(world, walletId)
  await attackLimit(world, {
    random,
    seats,
    limit: {
      client: { key: client.key, headers: { 'x-weir-customer': externalId } },
      refusal: '402 customer_balance_too_low',
      readSums: () => readBalance(world, id),
    },
  })
  assert.equal(await readOthers(world, walletId), others, 'the wallet pays nothing besides')
}

/** What the wallet has that is in no customer's balance. */
async function readOthers({ pool }: World, walletId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ free: string }>(
    'SELECT (balance_nano - customers_nano)::text AS free FROM wallets WHERE id = $1',
    [walletId],
  )
  return rows[0]?.free
}

/** Judged by the balance and by the charges in the ledger, of which the larger sum counts. */
async function readBalance({ pool }: World, id: string): Promise<{ held: bigint; spent: bigint }> {
  const { rows } = await pool.query<{ held: string; spent: string }>(
    `SELECT s.held_nano AS held, greatest(s.spent_nano + $2,
       (SELECT coalesce(sum(t.amount_nano), 0) FROM ledger_transfers t WHERE t.end_customer_id = $1 AND t.kind = 'charge')) AS spent
     FROM spend_windows s WHERE s.kind = 'customer_balance' AND s.owner_id = $1`,
    [id, oneDollar],
  )
  return { held: BigInt(rows[0]?.held ?? '0'), spent: BigInt(rows[0]?.spent ?? '0') }
}

async function createCustomer({ pool }: World, walletId: string, externalId: string): Promise<string> {
  const id = newUuid(Date.now())
  const limits = { day: null, month: null, total: nanoUsd(oneDollar) }
  await insertEndCustomer(pool, walletId, { id, externalId, name: null, limits, customersMax: 2 })
  return id
}

/** Judged by the window that limits the customer and by the settled requests, of which the larger sum counts. */
async function readSums({ pool }: World, id: string): Promise<{ held: bigint; spent: bigint }> {
  const { rows } = await pool.query<{ held: string; spent: string }>(
    `SELECT coalesce(sum(s.held_nano), 0) AS held, greatest(coalesce(sum(s.spent_nano), 0),
       (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g WHERE g.end_customer_id = $1)) AS spent
     FROM spend_windows s WHERE s.kind = 'customer_life' AND s.owner_id = $1`,
    [id],
  )
  return { held: BigInt(rows[0]?.held ?? '0'), spent: BigInt(rows[0]?.spent ?? '0') }
}
