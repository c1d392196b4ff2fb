import { objectsIn, stringAt } from '#lib/json.ts'
import type { ReadMeterSums } from '#ports/meter-sums.ts'
import { wholeAmount } from './whole-amount.ts'
import type { ReadJson } from './read-json.ts'

/** The sums of a meter of OpenMeter that adds up `$.cost_nano_usd`. */
export function createOpenMeterSums(read: ReadJson, meter: string): ReadMeterSums {
  return async ({ fromMs, toMs }) => {
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
    const { data } = await read(`/api/v1/meters/${meter}/query`, { from, to, groupBy: 'subject' })
    const rows = objectsIn(data).map((row) => [stringAt(row, 'subject') ?? '', wholeAmount(row['value'])] as const)
    return new Map(rows.filter(([customer]) => customer !== ''))
  }
}
