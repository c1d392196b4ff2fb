import type { AudioPart, FilePart, ImagePart, MediaSource, VideoPart } from '#domain/inference/parts.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * Images, documents, audio and video. Converse takes them as bytes or from S3, and has its own names for their formats.
 */
export function mediaBlock(part: ImagePart | FilePart | AudioPart | VideoPart, documentNames: Set<string>): JsonObject {
  switch (part.kind) {
    case 'image':
      return { image: { format: formatOf(part.source, imageFormats), source: sourceOf(part.source) } }
    case 'file':
      return fileBlock(part, documentNames)
    case 'audio':
      return { audio: { format: part.format, source: { bytes: part.base64 } } }
    case 'video':
      return { video: { format: formatOf(part.source, videoFormats), source: sourceOf(part.source) } }
    default:
      return part satisfies never
  }
}

function fileBlock(part: FilePart, documentNames: Set<string>): JsonObject {
  const { source } = part
  // An image that was attached as a file is still an image.
  if (source.kind === 'data' && Object.hasOwn(imageFormats, mediaTypeOf(source))) {
    return { image: { format: formatOf(source, imageFormats), source: sourceOf(source) } }
  }
  const name = documentName(part.filename, documentNames)
  return { document: { format: formatOf(source, documentFormats), name, source: sourceOf(source) } }
}

function sourceOf(source: MediaSource): JsonObject {
  if (source.kind === 'data') return { bytes: source.base64 }
  if (source.url.startsWith('s3://')) return { s3Location: { uri: source.url } }
  throw new GatewayError('unsupportedParam', {
    message: 'This model accepts images and files only as inline data, not as URLs. Send a data URI.',
  })
}

type Formats = Readonly<Record<string, string>>

const imageFormats: Formats = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

const documentFormats: Formats = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'application/json': 'txt',
  'text/markdown': 'md',
}

const videoFormats: Formats = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
}

function formatOf(source: MediaSource, formats: Formats): string {
  const known = new Set(Object.values(formats))
  const name = source.kind === 'data' ? mediaTypeOf(source) : (/\.(\w+)$/.exec(source.url)?.[1] ?? '')
  const format = formats[name] ?? (known.has(name) ? name : undefined)
  if (format !== undefined) return format
  if (formats === documentFormats && name.startsWith('text/')) return 'txt'
  throw new GatewayError('unsupportedParam', {
    message: `This model does not accept content of the type ${name || 'given'}.`,
  })
}

function mediaTypeOf(source: MediaSource & { kind: 'data' }): string {
  const [type = ''] = source.mediaType.split(';')
  return type.trim().toLowerCase()
}

/** A document's name allows few characters and must be unique in the request. */
function documentName(filename: string | undefined, taken: Set<string>): string {
  const stem = (filename ?? '').replace(/\.\w+$/, '')
  const allowed =
    stem
      .replace(/[^A-Za-z0-9()[\]-]+/g, ' ')
      .trim()
      .slice(0, 150) || 'document'
  let name = allowed
  for (let count = 2; taken.has(name); count += 1) name = `${allowed} ${count}`
  taken.add(name)
  return name
}
