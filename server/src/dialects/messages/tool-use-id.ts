import { stringAt } from '#lib/json.ts'
import { sealJson, unsealJson } from './sealed-json.ts'

/**
 * The id of a tool call is the one thing that every client sends back as it got it, both with the call and with its
 * result. A signature over the call travels in it, and so does an upstream's id with characters that Messages does not
 * allow. Plain ids stay as they are.
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

/** The upstream's id and signature again. Ids that we never wrote are their own. */
export function readToolUseId(text: string): ToolUse {
  // The first marker is ours, because nothing before it may contain its word.
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
