import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { parseJson } from '#test/simulators/json-value.ts'

/** A body for comparison by field: JSON unchanged, a form by its fields, a file by its digest. */
export async function readRecordedBody(contentType: string, bytes: Buffer): Promise<JsonValue> {
  if (bytes.length === 0) return null
  const [mediaType = ''] = contentType.split(';')
  if (mediaType.endsWith('json')) return parseJson(bytes.toString('utf8'))
  if (mediaType === 'multipart/form-data') return formOf(contentType, bytes)
  return digestOf(bytes)
}

async function formOf(contentType: string, bytes: Buffer): Promise<JsonObject> {
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
  const fields = new Map<string, JsonValue[]>()
  for (const [name, value] of await response.formData()) {
    const isText = typeof value === 'string'
    const shown = isText ? value : { type: value.type, ...digestOf(Buffer.from(await value.arrayBuffer())) }
    fields.set(name, [...(fields.get(name) ?? []), shown])
  }
  // A single value is shown as in JSON, which many providers accept instead of a form.
  const values = [...fields].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? null) : all] as const)
  return Object.fromEntries(values)
}

function digestOf(bytes: Buffer): JsonObject {
  return { byteCount: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex').slice(0, 16) }
}
