import type { FilePart, MediaSource, Part } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'

/** The content of a user or a tool, as blocks. Adds the names of unsupported parts to `ignored`. */
export function writeBlocks(parts: readonly Part[], ignored: Set<string>): JsonObject[] {
  return parts.flatMap((part) => writeBlock(part, ignored))
}

function writeBlock(part: Part, ignored: Set<string>): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'input_text', text: part.text }]
    case 'image':
      return [{ type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' }]
    case 'file':
      return [writeFile(part)]
    case 'audio':
    case 'video':
      ignored.add(part.kind)
      return []
    // Model output has its own items.
    default:
      return []
  }
}

/** Data needs a file name, whose extension tells its type. */
function writeFile({ source, filename }: FilePart): JsonObject {
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url }
  return { type: 'input_file', filename: filename ?? defaultName(source.mediaType), file_data: urlOf(source) }
}

function defaultName(mediaType: string): string {
  return `file.${/\/(?:x-)?([a-z0-9]+)/.exec(mediaType)?.[1] ?? 'pdf'}`
}

function urlOf(source: MediaSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.base64}`
}
