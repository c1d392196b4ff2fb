import assert from 'node:assert/strict'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { createClient, type Credential } from '#test/setup/client.ts'
import type { Payment, Session } from '#test/simulators/payments/objects.ts'
import type { PaymentsSimulator } from '#test/simulators/payments/start-payments.ts'
import type { Random } from '../random.ts'
import type { Flow } from './interleave.ts'
import type { Front } from './front.ts'
import type { Payer } from './payment-scene.ts'

/** In cents: ten for the wallet and one for the fee, so that every portion of a payment splits without rounding. */
export const unitCents = 11
const triesMax = 12

/** One order, and the actions of its payer, the provider and an operator on it. */
export interface Buyer {
  readonly random: Random
  readonly provider: PaymentsSimulator
  readonly totalCents: number
  /** Our order id. */
  readonly id: string
  readonly session: Session
  /** Pays on the provider's page. */
  pay(how?: { later?: boolean }): Payment
  /** A refundable portion of the payment, in cents. */
  part(): number
  /** Orders, and retries with the same key until there is a page. */
  order(): Flow
  /** An operator refunds a portion of the payment, and retries with the same key until there is a response. */
  refund(): Flow
}

interface BuyerOptions {
  readonly random: Random
  readonly provider: PaymentsSimulator
  readonly payer: Payer
  readonly operatorKey: string
  readonly front: Front
}

let buyers = 0

export function createBuyer({ random, provider, payer, operatorKey, front }: BuyerOptions): Buyer {
  buyers += 1
  const key = `buyer-${process.pid}-${buyers}`
  const credit = random.integer(5, 200)
  const totalCents = credit * 110
  let id: string | null = null

  const idOf = (): string => {
    assert.ok(id !== null, 'an order has an id')
    return id
  }
  const sessionOf = (): Session => {
    const session = provider.state.sessionOf(idOf())
    assert.ok(session !== undefined, 'an order that was answered has a page at the provider')
    return session
  }
  const part = (): number => unitCents * random.integer(1, Math.floor(totalCents / unitCents / 4))

  return {
    random,
    provider,
    totalCents,
    part,
    get id() {
      return idOf()
    },
    get session() {
      return sessionOf()
    },
    pay: (how) => provider.state.pay(sessionOf().id, how),
    async *order() {
      const body = { amount: credit }
      const path = `/api/wallets/${payer.walletId}/top-ups`
      const answer = yield* insist(front, { cookie: payer.cookie }, { path, body, key })
      assert.equal(answer.status, 201, `an order is answered with 201: ${JSON.stringify(answer.json)}`)
      const data = isJsonObject(answer.json['data']) ? answer.json['data'] : {}
      id = stringAt(data, 'id') ?? null
    },
    async *refund() {
      const amount = part() / 100
      const path = `/api/admin/top-ups/${idOf()}/refund`
      const answer = yield* insist(front, { key: operatorKey }, { path, body: { amount, force: true }, key })
      // Its webhook booked the refund before the retry and nothing is left; or a dispute has taken everything.
      assert.ok([200, 409].includes(answer.status), `a refund: ${answer.status} ${JSON.stringify(answer.json)}`)
    },
  }
}

interface Wish {
  readonly path: string
  readonly body: JsonObject
  readonly key: string
}

/** The gateway may die, or the provider not respond: the client retries the same request. */
async function* insist(
  front: Front,
  credential: Credential,
  { path, body, key }: Wish,
): AsyncGenerator<void, { status: number; json: JsonObject }, void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await front.ask(async (url) => {
      const { status, json } = await createClient(url, credential).post(path, body, {
        headers: { 'idempotency-key': key },
      })
      return { status, json }
    })
    if (answer !== null && answer.status < 500) return answer
    assert.ok(tries < triesMax, `no answer after ${tries} tries: ${JSON.stringify(answer)}`)
    yield
  }
}
