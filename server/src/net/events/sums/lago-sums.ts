import { objectAt, objectsIn, stringAt } from '#lib/json.ts'
import type { MeterSpan, ReadMeterSums } from '#ports/meter-sums.ts'
import type { ReadJson } from './read-json.ts'
import { wholeAmount } from './whole-amount.ts'

const perPage = '100'

/** Sums the events of Lago itself, because Lago's own sums are by billing period. */
export function createLagoSums(read: ReadJson, meter: string): ReadMeterSums {
  return async (span, customers) => {
    const sums = new Map<string, bigint>()
    for (const customer of customers) sums.set(customer, await readSum(read, { meter, customer, span }))
    return sums
  }
}

async function readSum(
  read: ReadJson,
  { meter, customer, span }: { meter: string; customer: string; span: MeterSpan },
): Promise<bigint> {
  const amounts = new Map<string, bigint>()
  const query = {
    external_subscription_id: customer,
    code: meter,
    timestamp_from: new Date(span.fromMs).toISOString(),
    // The last millisecond of the span, because Lago includes this time.
    timestamp_to: new Date(span.toMs - 1).toISOString(),
    per_page: perPage,
  }
  for (let page: unknown = 1; typeof page === 'number'; ) {
    const answer = await read('/api/v1/events', { ...query, page: String(page) })
    for (const event of objectsIn(answer['events'])) {
      const amount = wholeAmount(objectAt(event, 'properties')['cost_nano_usd'])
      amounts.set(stringAt(event, 'transaction_id') ?? '', amount)
    }
    page = objectAt(answer, 'meta')['next_page']
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)
}
