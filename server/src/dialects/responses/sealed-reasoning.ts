import type { OpaquePart, ReasoningFormat, ReasoningPart } from '#domain/inference/parts.ts'
import { isJsonObject, parseJsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'

/**
 * Clients of Responses return the `encrypted_content` of a reasoning item unread. Data that other vendors must get back
 * byte for byte is stored there, as `weir.<format>:<base64 of JSON>`; the text is inside too, because a signature
 * covers it.
 */
export function sealReasoning(part: ReasoningPart): string {
  const { text, isSummary, signature, encrypted, id } = part
  return seal(part.format, { text, isSummary, signature, encrypted, id })
}

/** A part that only one upstream knows, in the same envelope. */
export function sealOpaque(part: OpaquePart): string {
  return seal(opaqueName, { protocol: part.protocol, value: part.value })
}

/** The part inside an envelope; `broken` if our envelope was damaged, null if it is not ours. */
export function unseal(content: string): ReasoningPart | OpaquePart | 'broken' | null {
  if (!content.startsWith(mark)) return null
  const colon = content.indexOf(':')
  const bytes = Buffer.from(content.slice(colon + 1), 'base64')
  // The nesting of a body is checked before it is parsed; the embedded data must not be deeper either.
  const inside = isNestedDeeperThan(bytes, depthMax) ? undefined : parseJsonObject(bytes.toString('utf8'))
  if (colon === -1 || inside === undefined) return 'broken'
  const name = content.slice(mark.length, colon)
  if (name === opaqueName) {
    const protocol = stringAt(inside, 'protocol')
    return protocol === undefined ? 'broken' : { kind: 'opaque', protocol, value: inside.value ?? null }
  }
  const format = formats.find((known) => known === name)
  const text = stringAt(inside, 'text')
  if (format === undefined || text === undefined) return 'broken'
  const signature = stringAt(inside, 'signature')
  const encrypted = stringAt(inside, 'encrypted')
  const id = stringAt(inside, 'id')
  return {
    kind: 'reasoning',
    text,
    ...(inside.isSummary === true ? { isSummary: true } : {}),
    ...(signature === undefined ? {} : { signature }),
    ...(encrypted === undefined ? {} : { encrypted }),
    ...(id === undefined ? {} : { id }),
    format,
  }
}

const mark = 'weir.'
const opaqueName = 'opaque'
const depthMax = 64
const formats: readonly ReasoningFormat[] = ['anthropic', 'google', 'openai', 'grok', 'unknown']

function seal(name: string, inside: Record<string, JsonValue | undefined>): string {
  return `${mark}${name}:${Buffer.from(JSON.stringify(inside)).toString('base64')}`
}

/** The part of a client's reasoning item, or null if none of it can be used. */
export function readReasoningItem(item: JsonValue): ReasoningPart | OpaquePart | null {
  if (!isJsonObject(item)) return null
  const encrypted = stringAt(item, 'encrypted_content')
  const unsealed = encrypted === undefined || encrypted === '' ? null : unseal(encrypted)
  if (unsealed !== null && unsealed !== 'broken') return unsealed
  const summary = textsOf(item.summary)
  const text = summary === '' ? textsOf(item.content) : summary
  const id = stringAt(item, 'id')
  const isOwnId = id?.startsWith(reasoningIdMark) ?? true
  if (encrypted !== undefined && encrypted !== '' && unsealed === null) {
    return {
      kind: 'reasoning',
      text,
      ...(summary === '' ? {} : { isSummary: true }),
      encrypted,
      ...(id === undefined || isOwnId ? {} : { id }),
      format: 'openai',
    }
  }
  if (text === '') return null
  // An item with one of our ids is complete reasoning of a model that signs nothing; an item with any other id is a
  // vendor's summary.
  return { kind: 'reasoning', text, ...(summary === '' || isOwnId ? {} : { isSummary: true }), format: 'unknown' }
}

/** The prefix of our reasoning item ids, which no upstream knows. */
const reasoningIdMark = 'rs_weir_'

function textsOf(list: JsonValue | undefined): string {
  if (!Array.isArray(list)) return ''
  return list
    .map((part) => (isJsonObject(part) ? (stringAt(part, 'text') ?? '') : ''))
    .filter((text) => text !== '')
    .join('\n\n')
}
