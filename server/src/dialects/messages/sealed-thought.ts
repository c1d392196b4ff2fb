import type { OpaquePart, ReasoningFormat, ReasoningPart } from '#domain/inference/parts.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { sealJson, unsealJson } from './sealed-json.ts'

/**
 * A thinking block has one field for data that only its vendor can read. For reasoning of other vendors, all data that
 * must return is put into this field, behind a prefix, so that the next turn returns it to its vendor byte for byte.
 */
export type SealedReasoning = Omit<ReasoningPart, 'kind' | 'text'>

export function sealReasoning({ format, signature, encrypted, id, isSummary }: SealedReasoning): string {
  const value: JsonObject = {}
  if (signature !== undefined) value.signature = signature
  if (encrypted !== undefined) value.encrypted = encrypted
  if (id !== undefined) value.id = id
  if (isSummary !== undefined) value.isSummary = isSummary
  return `${prefix}${format}:${sealJson(value)}`
}

export function sealOpaque({ protocol, value }: OpaquePart): string {
  return `${prefix}${opaqueLabel}:${sealJson({ protocol, value })}`
}

/** Whether a signature or redacted data is one of our envelopes, intact or not. No upstream may see it. */
export function isSealed(text: string): boolean {
  return text.startsWith(prefix)
}

/** The part in an envelope. A damaged envelope gives reasoning of unknown format, which is sent to no upstream. */
export function unseal(sealed: string, text: string): ReasoningPart | OpaquePart {
  const [label = '', payload = ''] = sealed.slice(prefix.length).split(':')
  const value = unsealJson(payload) ?? {}
  if (label === opaqueLabel) return opaqueFrom(value) ?? { kind: 'reasoning', text, format: 'unknown' }
  const signature = stringAt(value, 'signature')
  const encrypted = stringAt(value, 'encrypted')
  const id = stringAt(value, 'id')
  return {
    kind: 'reasoning',
    text,
    ...(signature === undefined ? {} : { signature }),
    ...(encrypted === undefined ? {} : { encrypted }),
    ...(id === undefined ? {} : { id }),
    ...(typeof value.isSummary === 'boolean' ? { isSummary: value.isSummary } : {}),
    format: formats.find((format) => format === label) ?? 'unknown',
  }
}

function opaqueFrom({ protocol, value }: JsonObject): OpaquePart | undefined {
  return typeof protocol === 'string' && value !== undefined ? { kind: 'opaque', protocol, value } : undefined
}

const prefix = 'weir.'
const opaqueLabel = 'opaque'
const formats: readonly ReasoningFormat[] = ['anthropic', 'google', 'openai', 'grok', 'unknown']
