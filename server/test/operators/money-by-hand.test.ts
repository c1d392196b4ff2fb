import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { creditWallet, readWallet } from '#control/wallets/credit-wallet.ts'
import type { Invalidation } from '#domain/access/invalidation.ts'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { createPostgresOperators, type OperatorStores } from '#store/postgres/operators/postgres-operators.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

const terms = { feePercent: 10, taxPercent: 5 }
const usd = { channel: 'usd', terms } as const
const local = { channel: 'local', terms } as const

describe('crediting a wallet by hand', () => {
  let database: TestDatabase
  let stores: OperatorStores
  const announced: Invalidation[] = []
  const announce = async (message: Invalidation) => void announced.push(message)

  beforeAll(async () => {
    database = await createTestDatabase()
    stores = createPostgresOperators(database.pool)
  })
  afterAll(() => database.drop())

  async function newOwner(email: string) {
    return createUser(stores.users, { email, name: 'Owner' }, Date.now())
  }

  async function transfersOf(walletId: string) {
    const { rows } = await database.pool.query<{ kind: string; move: string; amount_nano: string }>(
      `SELECT kind, debit || '>' || credit AS move, amount_nano FROM ledger_transfers WHERE wallet_id = $1 ORDER BY id, leg`,
      [walletId],
    )
    return rows.map((row) => `${row.kind} ${row.move} ${formatUsd(nanoUsd(BigInt(row.amount_nano)))}`)
  }

  it('[MONEY-05] grows the wallet by $100 and books the $10 fee beside it', async () => {
    const owner = await newOwner('usd@weir.test')
    const input = { reference: 'USD@weir.test', amount: parseUsd('100'), source: usd, note: 'invoice 7' } as const
    const outcome = await creditWallet({ wallets: stores.wallets, announce }, input, operatorAuthor(Date.now()))
    expect(outcome).toMatchObject({ walletId: owner.walletId, balance: parseUsd('100') })
    expect(outcome.quote?.total).toBe(parseUsd('110'))
    expect(await transfersOf(owner.walletId)).toEqual(['top_up cash>wallet 100', 'fee cash>fees 10'])
    expect(announced).toContainEqual({ walletId: owner.walletId })
  })

  it('[MONEY-06] books $5 of tax on a local-currency channel, and the wallet still grows by $100', async () => {
    const owner = await newOwner('local@weir.test')
    const input = { reference: owner.walletId, amount: parseUsd('100'), source: local, note: null } as const
    await creditWallet({ wallets: stores.wallets, announce }, input, operatorAuthor(Date.now()))
    expect(await transfersOf(owner.walletId)).toEqual(['top_up cash>wallet 100', 'fee cash>fees 10', 'tax cash>tax 5'])
    expect(await readWallet(stores.wallets, owner.id)).toMatchObject({
      balance: parseUsd('100'),
      credited: parseUsd('100'),
      charged: 0n,
    })
  })

  it('grants without a fee', async () => {
    const owner = await newOwner('grant@weir.test')
    const input = { reference: owner.walletId, amount: parseUsd('2.5'), source: 'grant', note: null } as const
    expect(
      (await creditWallet({ wallets: stores.wallets, announce }, input, operatorAuthor(Date.now()))).quote,
    ).toBeNull()
    expect(await transfersOf(owner.walletId)).toEqual(['grant grants>wallet 2.5'])
  })

  it('[P4] adds up exactly when many credits of one wallet arrive together', async () => {
    const owner = await newOwner('many@weir.test')
    const input = { reference: owner.walletId, amount: parseUsd('0.000000001'), source: 'grant', note: null } as const
    await Promise.all(
      Array.from({ length: 50 }, () =>
        creditWallet({ wallets: stores.wallets, announce }, input, operatorAuthor(Date.now())),
      ),
    )
    expect(await readWallet(stores.wallets, owner.walletId)).toMatchObject({ balance: 50n, credited: 50n })
  })

  it('leaves no transfer behind for a wallet that does not exist, and refuses amounts that are none', async () => {
    const deps = { wallets: stores.wallets, announce }
    const unknown = '01890000-0000-7000-8000-000000000000'
    const credit = { id: unknown, walletId: unknown, transfers: [], note: null }
    expect(await stores.wallets.credit(credit)).toBeNull()
    for (const amount of ['0', '-1', '1000001']) {
      const input = { reference: 'usd@weir.test', amount: parseUsd(amount), source: usd, note: null } as const
      await expect(creditWallet(deps, input, operatorAuthor(Date.now())), amount).rejects.toThrow('amount')
    }
    const fraction = { reference: 'usd@weir.test', amount: parseUsd('10.001'), source: usd, note: null } as const
    await expect(creditWallet(deps, fraction, operatorAuthor(Date.now()))).rejects.toThrow('whole cents')
    await expect(readWallet(stores.wallets, 'nobody@weir.test')).rejects.toThrow('No wallet found')
  })
})
