import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { Random } from '#test/drills/setup/random.ts'
import { type Matter, mutateBytes } from './mutate-bytes.ts'

/**
 * Changes a JSON document and keeps it valid: members are removed, added, moved, retyped or grown. Undefined if it is
 * not JSON.
 */
export function mutateJson(input: Buffer, matter: Matter): Buffer | undefined {
  const document = parse(input)
  if (document === undefined) return undefined
  const changed = mutateValue(document, matter)
  const bytes = Buffer.from(JSON.stringify(changed))
  return bytes.length > matter.bytesMax ? undefined : bytes
}

function mutateValue(document: JsonValue, matter: Matter): JsonValue {
  const { random } = matter
  const root: JsonObject = { root: document }
  for (let turn = random.pick([1, 1, 1, 2, 3]); turn > 0; turn -= 1) {
    const places = placesIn(root)
    const [first] = places
    if (first === undefined) break
    random.pick(changes)(places.length === 1 ? first : random.pick(places), places, matter)
  }
  return root['root'] ?? null
}

function parse(input: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(input.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The position of a value. */
interface Place {
  readonly value: JsonValue
  set(value: JsonValue): void
  remove(): void
  readonly parent: JsonValue
  readonly key: string
}

const placesMax = 400

function placesIn(root: JsonObject): Place[] {
  const places: Place[] = []
  const waiting: JsonValue[] = [root]
  for (let parent = waiting.shift(); parent !== undefined && places.length < placesMax; parent = waiting.shift()) {
    if (Array.isArray(parent)) {
      const list = parent
      for (const [index, value] of list.slice(0, 50).entries()) {
        places.push({
          value,
          set: (next) => void (list[index] = next),
          remove: () => void list.splice(index, 1),
          parent: list,
          key: String(index),
        })
        waiting.push(value)
      }
    } else if (isJsonObject(parent)) {
      const record = parent
      for (const [key, value] of Object.entries(record)) {
        if (value === undefined) continue
        const remove = record === root ? () => {} : () => void delete record[key]
        places.push({ value, set: (next) => define(record, key, next), remove, parent: record, key })
        waiting.push(value)
      }
    }
  }
  return places
}

/** Also works for the key `__proto__`. */
function define(record: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

type Change = (place: Place, places: readonly Place[], matter: Matter) => void

const changes: readonly Change[] = [
  (place, _, matter) => place.set(nastyValue(matter)),
  (place, _, matter) => place.set(nastyValue(matter)),
  (place) => place.remove(),
  (place, places, { random }) => place.set(structuredClone(random.pick(places).value)),
  addMember,
  renameKey,
  changeText,
  changeText,
  changeType,
  (place, _, { random }) => place.set(random.chance(0.5) ? [place.value] : { [place.key]: place.value }),
  repeatMember,
  takeFromOther,
  nest,
]

function addMember({ value, parent }: Place, places: readonly Place[], matter: Matter): void {
  const { random } = matter
  const host = isJsonObject(value) ? value : parent
  const member = random.chance(0.5) ? nastyValue(matter) : structuredClone(random.pick(places).value)
  if (Array.isArray(host)) host.splice(random.integer(0, host.length), 0, member)
  else if (isJsonObject(host)) define(host, random.chance(0.5) ? matter.word() : random.pick(places).key, member)
}

function renameKey({ value, parent, key, remove }: Place, places: readonly Place[], { random, word }: Matter): void {
  if (!isJsonObject(parent) || key === 'root') return
  remove()
  define(parent, random.chance(0.5) ? word() : random.pick(places).key, value)
}

function changeText({ value, set }: Place, _: readonly Place[], matter: Matter): void {
  if (typeof value !== 'string') return
  if (matter.random.chance(0.4)) return set(matter.word())
  set(mutateBytes(Buffer.from(value), { ...matter, other: () => Buffer.from(matter.word()) }).toString('utf8'))
}

function changeType({ value, set }: Place, _: readonly Place[], { random }: Matter): void {
  if (typeof value === 'string') return set(random.chance(0.5) ? Number(value) || 0 : [{ type: 'text', text: value }])
  if (typeof value === 'number') return set(random.pick<JsonValue>([String(value), -value, value + 0.5, value * 1e300]))
  if (typeof value === 'boolean') return set(String(value))
  if (Array.isArray(value)) return set(value[0] ?? {})
  set(JSON.stringify(value))
}

/** Many members reveal superlinear work. */
function repeatMember({ value, parent, set }: Place, _: readonly Place[], { random, bytesMax }: Matter): void {
  if (typeof value === 'string' && value !== '') {
    const most = Math.max(1, Math.floor(bytesMax / 2 / value.length))
    return set(value.repeat(random.chance(0.02) ? most : Math.min(most, random.pick([2, 3, 65]))))
  }
  if (!Array.isArray(parent)) return
  const most = Math.max(1, Math.floor(bytesMax / 2 / Math.max(4, JSON.stringify(value).length)))
  const times = random.chance(0.02) ? most : Math.min(most, random.pick([1, 2, 17]))
  for (let turn = 0; turn < times; turn += 1) parent.push(structuredClone(value))
}

function takeFromOther({ set }: Place, _: readonly Place[], { random, other }: Matter): void {
  const document = parse(other())
  if (document !== undefined) set(random.pick(placesIn({ root: document })).value)
}

function nest({ value, set }: Place, _: readonly Place[], { random }: Matter): void {
  let nested = value
  const depth = random.pick([2, 10, 61, 70, 300])
  const asArray = random.chance(0.5)
  for (let level = 0; level < depth; level += 1) nested = asArray ? [nested] : { a: nested }
  set(nested)
}

function nastyValue({ random, word }: Matter): JsonValue {
  return random.pick<(chance: Random) => JsonValue>([
    () => null,
    () => true,
    () => false,
    () => '',
    () => 0,
    () => -1,
    () => 1.5,
    () => 2 ** 53,
    () => 1e308,
    () => 5e-324,
    () => [],
    () => ({}),
    () => [null],
    () => [[]],
    () => word(),
    () => word(),
    () => [word()],
    () => ({ [word()]: word() }),
    () => ({ type: word() }),
    () => '\ud800',
    () => 'x'.repeat(random.pick([1, 64, 255, 256, 1_025])),
  ])(random)
}
