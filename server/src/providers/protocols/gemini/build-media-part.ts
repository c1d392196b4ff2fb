import type { AudioPart, FilePart, ImagePart, VideoPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'

export function buildMediaPart(part: ImagePart | FilePart | AudioPart | VideoPart): JsonObject {
  if (part.kind === 'audio') return { inlineData: { mimeType: `audio/${part.format}`, data: part.base64 } }
  const { source } = part
  if (source.kind === 'data') return { inlineData: { mimeType: source.mediaType, data: source.base64 } }
  const inline = dataUrl.exec(source.url)
  if (inline !== null) {
    return { inlineData: { mimeType: inline[1] || usualTypes[part.kind], data: source.url.slice(inline[0].length) } }
  }
  return { fileData: { mimeType: typeOf(source.url) ?? usualTypes[part.kind], fileUri: source.url } }
}

const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i

/** Vertex requires a type, and a URL shows it only by its extension. */
function typeOf(url: string): string | undefined {
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(url)?.[1]
  return ending === undefined ? undefined : typesByEnding.get(ending.toLowerCase())
}

const usualTypes = { image: 'image/jpeg', file: 'application/pdf', video: 'video/mp4' } as const

const typesByEnding: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/mov'],
  ['webm', 'video/webm'],
  ['mpeg', 'video/mpeg'],
  ['mp3', 'audio/mp3'],
  ['wav', 'audio/wav'],
])
