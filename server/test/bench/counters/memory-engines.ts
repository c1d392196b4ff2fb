import type { Redis } from 'ioredis'
import type { Pool } from 'pg'

/** Number of calls to the engines. */
export interface EngineCalls {
  statements: number
  scripts: number
}

/** An available amount larger than any hold. */
const room = '999000000000'

/**
 * Stands in for `pg`: grants every hold and charges every settle as requested, at the next turn of the event loop, as a
 * socket would.
 */
export function createMemoryPool(calls: EngineCalls): Pool {
  const query = (statement: { name: string; values: string[] }) =>
    atNextTurn(() => {
      calls.statements += 1
      return { rows: rowsOf(statement) }
    })
  return { query } as unknown as Pool
}

function rowsOf({ name, values }: { name: string; values: string[] }): object[] {
  switch (name) {
    case 'place-hold':
      return [{ granted_nano: values[3], room_nano: room }]
    case 'place-holds':
      return holdRows(elementsOf(values[0]), elementsOf(values[3]))
    case 'place-holds-plain':
      return holdRows(elementsOf(values[0]), elementsOf(values[3]))
    case 'settle-generation':
      return [{ settled: true }]
    case 'settle-generations-plain':
      return Array.from(values[0]?.matchAll(/"\(([^,]+),/g) ?? [], ([, id]) => ({ id }))
    case 'settle-generations':
      return settleRows(elementsOf(values[0]), elementsOf(values[8]))
    default:
      throw new Error(`the memory pool does not know the statement ${name}`)
  }
}

function holdRows(ids: readonly string[], amounts: readonly string[]): object[] {
  return ids.map((id, index) => ({ hold_id: id, refused_by: null, room_nano: room, granted_nano: amounts[index] }))
}

function settleRows(ids: readonly string[], costs: readonly string[]): object[] {
  return ids.map((id, index) => ({ generation_id: id, charged_nano: costs[index], absorbed_nano: '0' }))
}

/** The elements of a Postgres array literal whose elements contain no commas. */
function elementsOf(literal = '{}'): string[] {
  return literal
    .slice(1, -1)
    .split(',')
    .map((element) => element.replaceAll('"', ''))
}

/** Stands in for ioredis: allows every request, and returns unbilled sums far below any limit. */
export function createMemoryRedis(calls: EngineCalls): Redis {
  const answer = (keyCount: number, values: readonly unknown[]): unknown[] => {
    calls.scripts += 1
    const isRate = values.length - keyCount === 3
    return isRate ? [1, 0, 99_999_000, 60_000, 0] : [null, null, '1000000', '1000000', '20000', null, null, null]
  }
  const pipeline = () => {
    const answers: [null, unknown][] = []
    return {
      evalsha: (_digest: string, keyCount: number, ...values: unknown[]) =>
        void answers.push([null, answer(keyCount, values)]),
      exec: () => atNextTurn(() => answers),
    }
  }
  const evalsha = (_digest: string, keyCount: number, ...values: unknown[]) =>
    atNextTurn(() => answer(keyCount, values))
  return { evalsha, pipeline } as unknown as Redis
}

function atNextTurn<Result>(make: () => Result): Promise<Result> {
  return new Promise((resolve) => setImmediate(() => resolve(make())))
}
