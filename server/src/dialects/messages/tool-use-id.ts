import { stringAt } from '#lib/json.ts'
import { sealJson, unsealJson } from './sealed-json.ts'

/**
 * The id of a tool call is the only value that every client sends back unchanged, both with the call and with its
 * result. It carries a signature over the call, and an upstream's id with characters that Messages does not allow.
 * Plain ids stay unchanged.
 */
export function toolUseId(id: string, signature?: string): string {
  const isPlain = plainForm.test(id) && !id.includes(markerWord)
  if (isPlain && signature === undefined) return id
  const sealed = sealJson({ ...(isPlain ? {} : { id }), ...(signature === undefined ? {} : { signature }) })
  return `${isPlain ? id : stand}${marker}${sealed}`
}

interface ToolUse {
  readonly id: string
  readonly signature?: string
}

/** Decodes the upstream's id and signature. Foreign ids are returned unchanged. */
export function readToolUseId(text: string): ToolUse {
  // The first marker is ours, because nothing before it can contain the marker.
  const at = text.indexOf(marker)
  const sealed = at === -1 ? undefined : unsealJson(text.slice(at + marker.length))
  if (sealed === undefined) return { id: text }
  const id = stringAt(sealed, 'id') ?? text.slice(0, at)
  const signature = stringAt(sealed, 'signature')
  return signature === undefined ? { id } : { id, signature }
}

const plainForm = /^[a-zA-Z0-9_-]+$/
const markerWord = 'weir'
const marker = `-${markerWord}-`
const stand = 'toolu'
