import { createHash } from 'node:crypto'
import type { FormPart } from './form-part.ts'
import type { MediaTarget } from './target.ts'

/**
 * The boundary between the parts of a form. A client that knew it could write its own parts into a prompt or a file,
 * such as the name of a more expensive model. It is derived from the form itself, so that no text can contain its own
 * boundary, and from data that clients do not see: our credential, and the path of the stored file.
 */
export function formBoundary({ credential }: MediaTarget, parts: readonly FormPart[]): string {
  const digest = createHash('sha256').update(JSON.stringify([credential]))
  for (const part of parts) {
    digest.update(JSON.stringify('file' in part ? [part.name, part.filename] : [part.name, part.value]))
    if (!('file' in part)) continue
    const { content } = part.file
    digest.update(content.kind === 'disk' ? content.path : content.bytes)
  }
  return `weir-${digest.digest('hex').slice(0, 48)}`
}
