import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FormFile } from '#domain/media/media-file.ts'

/** Identifies a file of a form by its field, name, type and content. */
export async function fileDigest({ field, name, mediaType, content }: FormFile): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify([field, name, mediaType]))
  if (content.kind === 'memory') return digest.update(content.bytes).digest('hex')
  for await (const piece of createReadStream(content.path)) digest.update(piece)
  return digest.digest('hex')
}
