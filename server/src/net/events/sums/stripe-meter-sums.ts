import { objectsIn, stringAt } from '#lib/json.ts'
import type { ReadMeterSums } from '#ports/meter-sums.ts'
import type { ReadJson } from './read-json.ts'
import { wholeAmount } from './whole-amount.ts'

/** The sums of a billing meter of Stripe. Only customers of Stripe are sent to it. */
export function createStripeMeterSums(read: ReadJson, meter: string): ReadMeterSums {
  return async ({ fromMs, toMs }, customers) => {
    const { data: meters } = await read('/v1/billing/meters', { status: 'active', limit: '100' })
    const found = objectsIn(meters).find((one) => stringAt(one, 'event_name') === meter)
    if (found === undefined) throw new Error(`Stripe has no active meter with the event name ${meter}`)
    const path = `/v1/billing/meters/${stringAt(found, 'id') ?? ''}/event_summaries`
    const [start_time, end_time] = [String(fromMs / 1_000), String(toMs / 1_000)]
    const sums = new Map<string, bigint>()
    for (const customer of customers.filter((id) => id.startsWith('cus_'))) {
      const { data } = await read(path, { customer, start_time, end_time, limit: '100' })
      const sum = objectsIn(data).reduce((total, row) => total + wholeAmount(row['aggregated_value']), 0n)
      sums.set(customer, sum)
    }
    return sums
  }
}
