import type { TraitOverrides } from '#domain/routing/trait-overrides.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'

/** A request as a protocol built it. */
interface BuiltRequest {
  readonly body: string
  /** Client fields that the request lacks, by the names that clients use. */
  readonly ignored: readonly string[]
}

/**
 * Removes the fields that the operator leaves out, and adds the client's fields that the operator sends although the
 * tables reject them. Removed fields are reported to the client.
 */
export function overrideFields<Request extends BuiltRequest>(
  request: Request,
  { leaveOut = [], send = {} }: TraitOverrides,
  asked: JsonObject,
): Request {
  const places = Object.entries(send)
  const body = leaveOut.length === 0 && places.length === 0 ? undefined : parseJsonObject(request.body)
  if (body === undefined) return request
  const ignored = new Set(request.ignored)
  for (const [field, place] of places) {
    const value = takeField(body, field, place) ?? (ignored.has(field) ? asked[field] : undefined)
    if (value !== undefined && addAt(body, place, value)) ignored.delete(field)
  }
  for (const path of leaveOut) if (removeAt(body, path)) ignored.add(path)
  return { ...request, body: JSON.stringify(body), ignored: [...ignored] }
}

/** The object without the members at these paths. */
export function withoutPaths<Members extends object>(members: Members, paths: readonly string[]): Members {
  let kept = members
  for (const path of paths) kept = withoutPath(kept, path.split('.'))
  return kept
}

function withoutPath<Members extends object>(members: Members, [name = '', ...rest]: readonly string[]): Members {
  const value: unknown = Object.hasOwn(members, name) ? Reflect.get(members, name) : undefined
  if (value === undefined) return members
  if (rest.length === 0) return { ...members, [name]: undefined }
  return isPlain(value) ? { ...members, [name]: withoutPath(value, rest) } : members
}

/** Files are class instances, not plain objects. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Removes a field that the client sent at the top level but that belongs at another path. */
function takeField(body: JsonObject, field: string, place: string): JsonValue | undefined {
  if (field === place || !Object.hasOwn(body, field)) return undefined
  const value = body[field]
  delete body[field]
  return value
}

/** Returns false if the path already has a value. */
function addAt(body: JsonObject, place: string, value: JsonValue): boolean {
  const names = place.split('.')
  const last = names.pop() ?? place
  let holder = body
  for (const name of names) {
    const inner = Object.hasOwn(holder, name) ? holder[name] : {}
    if (!isJsonObject(inner)) return false
    holder[name] = inner
    holder = inner
  }
  if (Object.hasOwn(holder, last)) return false
  holder[last] = value
  return true
}

/** Returns false if there was no value. */
function removeAt(body: JsonObject, path: string): boolean {
  const names = path.split('.')
  const last = names.pop() ?? path
  let holder: JsonValue | undefined = body
  for (const name of names) holder = isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined
  if (!isJsonObject(holder) || !Object.hasOwn(holder, last)) return false
  delete holder[last]
  return true
}
