import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { ExtendRequest, HoldGrowth, HoldRequest } from '#ports/money.ts'

/** A statement of the money store: its name, and parameters as strings and numbers. */
export interface SentStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** The same statement in the model's terms. */
type Statement =
  | { do: 'place'; requests: Required<HoldRequest>[]; leaseMs: number; isRetry: boolean }
  | { do: 'place alone'; request: Required<HoldRequest>; leaseMs: number }
  | { do: 'place plain'; requests: Required<HoldRequest>[]; leaseMs: number }
  | { do: 'extend'; request: ExtendRequest; leaseMs: number }
  | { do: 'renew'; ids: string[]; leaseMs: number }
  | { do: 'lapse'; ids: string[] }
  | { do: 'settle'; settles: SettleRequest[] }
  | { do: 'settle alone'; settle: SettleRequest }
  | { do: 'settle plain'; settles: SettleRequest[] }
  | { do: 'sweep'; atMost: number }

export interface SettleRequest {
  readonly id: string
  readonly walletId: string
  readonly keyId: string
  readonly cost: bigint
  /** The amount that the gateway already knew it could not charge. */
  readonly absorbed: bigint
  readonly windows: readonly LimitedWindow[]
}

/** Reads the parameters in the order of `store/postgres/money`. */
export function readStatement({ name, values }: SentStatement): Statement {
  const list = (position: number): string[] => readList(values[position])
  switch (name) {
    case 'place-holds':
      return readPlace(list, {
        leaseMs: Number(values[4]),
        isRetry: values[5] === true,
        hasGrowths: values[12] !== null,
      })
    case 'place-hold':
      return { do: 'place alone', request: readPlaceAlone(values), leaseMs: Number(values[7]) }
    case 'place-holds-plain':
      return {
        do: 'place plain',
        requests: readHolds(list, { estimates: 4, growths: values[6] === null ? null : 6 }),
        leaseMs: Number(values[5]),
      }
    case 'extend-hold': {
      const windows = zipWindows({ kinds: list(2), owners: list(3), starts: list(4), limits: list(5) })
      const request = { id: String(values[0]), total: nanoUsd(BigInt(String(values[1]))), windows }
      return { do: 'extend', request, leaseMs: Number(values[6]) }
    }
    case 'renew-holds':
      return { do: 'renew', ids: list(0), leaseMs: Number(values[1]) }
    case 'lapse-holds':
      return { do: 'lapse', ids: list(0) }
    case 'settle-generations':
      return { do: 'settle', settles: readSettles(list, String(values[2])) }
    case 'settle-generation':
      return { do: 'settle alone', settle: readSettleAlone(String(values[0])) }
    case 'settle-generations-plain':
      return { do: 'settle plain', settles: readRows(String(values[0])).map(readSettleAlone) }
    case 'sweep-holds':
      return { do: 'sweep', atMost: Number(values[0]) }
    default:
      throw new Error(`the model does not know the statement ${name}`)
  }
}

type Lists = (position: number) => string[]

function readPlace(
  list: Lists,
  { hasGrowths, ...terms }: { leaseMs: number; isRetry: boolean; hasGrowths: boolean },
): Statement {
  const windowsOf = groupWindows(list(6), { kinds: list(7), owners: list(8), starts: list(9), limits: list(10) })
  const holds = readHolds(list, { estimates: 11, growths: hasGrowths ? 12 : null })
  return { do: 'place', requests: holds.map((hold) => ({ ...hold, windows: windowsOf(hold.id) })), ...terms }
}

/** Holds without windows. The first four lists are the same in every statement. */
function readHolds(
  list: Lists,
  { estimates: estimatesAt, growths }: { estimates: number; growths: number | null },
): Required<HoldRequest>[] {
  const [ids, wallets, keys, amounts, estimates] = [list(0), list(1), list(2), list(3), list(estimatesAt)]
  const [wishes, comforts] =
    growths === null ? [amounts, amounts.map(() => 'NULL')] : [list(growths), list(growths + 1)]
  return ids.map((id, position) => ({
    id,
    walletId: at(wallets, position),
    keyId: at(keys, position),
    amount: amountAt(amounts, position),
    estimate: amountAt(estimates, position),
    growth: growthOf(amountAt(wishes, position), at(comforts, position)),
    windows: [],
  }))
}

function readPlaceAlone([
  id,
  walletId,
  keyId,
  amount,
  estimate,
  wish,
  comfort,
]: readonly unknown[]): Required<HoldRequest> {
  return {
    id: String(id),
    walletId: String(walletId),
    keyId: String(keyId),
    amount: nano(amount),
    estimate: nano(estimate),
    growth: { wish: nano(wish ?? amount), comfort: comfort === null ? null : nano(comfort) },
    windows: [],
  }
}

function nano(value: unknown): NanoUsd {
  return nanoUsd(BigInt(String(value)))
}

function growthOf(wish: NanoUsd, comfort: string): HoldGrowth {
  return { wish, comfort: comfort === 'NULL' ? null : nanoUsd(BigInt(comfort)) }
}

function readSettles(list: Lists, json: string): SettleRequest[] {
  const records: unknown = JSON.parse(json)
  assert(Array.isArray(records), 'the records are a list')
  const windowsOf = groupWindows(list(3), { kinds: list(4), owners: list(5), starts: list(6), limits: list(7) })
  const costs = list(8)
  return records.map((record: Record<string, unknown>, position) => ({
    ...readRecord(record),
    cost: amountAt(costs, position),
    windows: windowsOf(String(record['id'])),
  }))
}

/** Reads the literal of a `plain_generation`. */
function readSettleAlone(row: string): SettleRequest {
  const fields = Array.from(
    row.slice(1, -1).matchAll(/(?:^|,)((?:"(?:[^"\\]|\\.)*"|[^",])*)/g),
    ([, field = '']) => field,
  )
  return {
    id: at(fields, 0),
    walletId: at(fields, 1),
    keyId: at(fields, 2),
    cost: amountAt(fields, 30),
    absorbed: amountAt(fields, 37),
    windows: [],
  }
}

/** The row literals of a batch. */
export function readRows(batch: string): string[] {
  return batch.split(';";')
}

function readRecord(record: Readonly<Record<string, unknown>>): Omit<SettleRequest, 'cost' | 'windows'> {
  return {
    id: String(record['id']),
    walletId: String(record['wallet_id']),
    keyId: String(record['key_id']),
    absorbed: BigInt(String(record['absorbed_nano'] ?? '0')),
  }
}

interface WindowColumns {
  kinds: string[]
  owners: string[]
  starts: string[]
  limits: string[]
}

function groupWindows(ids: readonly string[], columns: WindowColumns): (id: string) => LimitedWindow[] {
  const windows = zipWindows(columns)
  return (id) => windows.filter((_, position) => ids[position] === id)
}

function zipWindows({ kinds, owners, starts, limits }: WindowColumns): LimitedWindow[] {
  return kinds.map((kind, position) => ({
    kind,
    ownerId: at(owners, position),
    startsAtMs: Number(at(starts, position)),
    limit: amountAt(limits, position),
  }))
}

/** The reverse of `arrayLiteral`. */
function readList(value: unknown): string[] {
  const text = String(value)
  assert(text.startsWith('{') && text.endsWith('}'), 'a list is written in braces')
  return text === '{}' ? [] : text.slice(1, -1).split(',')
}

function amountAt(list: readonly string[], position: number): NanoUsd {
  return nanoUsd(BigInt(at(list, position)))
}

function at(list: readonly string[], position: number): string {
  const found = list[position]
  assert(found !== undefined, 'the lists of a statement are equally long')
  return found
}
