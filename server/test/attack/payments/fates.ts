import { type Buyer, unitCents } from '#test/drills/setup/payments/buyer.ts'

/** The course of an order at its provider. */
export interface Fate {
  readonly name: string
  /** In the order in which they happen; each emits events. */
  readonly acts: readonly Act[]
}

type Act = (buyer: Buyer) => void

const pay: Act = (buyer) => void buyer.pay()
const payLater: Act = (buyer) => void buyer.pay({ later: true })
const payLess: Act = ({ provider, session, totalCents }) =>
  void provider.state.pay(session.id, { amount: totalCents - unitCents })
const succeedLate: Act = ({ provider, session }) => provider.state.succeedLate(session.id)
const failLate: Act = ({ provider, session }) => provider.state.failLate(session.id)
const expire: Act = ({ provider, session }) => provider.state.expire(session.id)
const refundPart: Act = (buyer) => void buyer.provider.state.refund(paymentIdOf(buyer), buyer.part())
const refundRest: Act = (buyer) => {
  const { amount, amount_refunded: refunded } = buyer.provider.state.chargeOf(paymentIdOf(buyer))
  buyer.provider.state.refund(paymentIdOf(buyer), amount - refunded)
}
const failRefund: Act = (buyer) => buyer.provider.state.failRefund(lastOf(buyer.provider.state.refunds, buyer))
const disputePart: Act = (buyer) => void buyer.provider.state.dispute(paymentIdOf(buyer), { amount: buyer.part() })
const disputeAll: Act = (buyer) => void buyer.provider.state.dispute(paymentIdOf(buyer))
const win: Act = (buyer) => buyer.provider.state.win(lastOf(buyer.provider.state.disputes, buyer))
const lose: Act = (buyer) => buyer.provider.state.lose(lastOf(buyer.provider.state.disputes, buyer))

export const fates: readonly Fate[] = [
  { name: 'succeeded', acts: [pay] },
  { name: 'expired', acts: [expire] },
  { name: 'failed late', acts: [payLater, failLate] },
  { name: 'refunded in parts', acts: [pay, refundPart, refundPart, refundRest] },
  { name: 'refund failed', acts: [pay, refundPart, failRefund, refundPart] },
  { name: 'dispute lost', acts: [pay, disputePart, lose, refundPart] },
  { name: 'paid less', acts: [payLess, refundPart, disputePart] },
  { name: 'succeeded late, refunded, disputed and won', acts: [payLater, succeedLate, refundPart, disputeAll, win] },
]

function paymentIdOf({ provider, session }: Buyer): string {
  return provider.state.paymentOf(session).id
}

function lastOf(things: ReadonlyMap<string, { id: string; payment_intent: string }>, buyer: Buyer): string {
  const paymentId = paymentIdOf(buyer)
  const last = [...things.values()].findLast(({ payment_intent }) => payment_intent === paymentId)
  if (last === undefined) throw new Error(`nothing went back of ${paymentId}`)
  return last.id
}
