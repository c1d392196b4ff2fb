import type { MediaCall } from '../../start-media-upstream.ts'

/** A form as an upstream received it: every field with all its values, and the file. */
interface SentForm {
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer } | null
}

export async function sentForm({ headers, bytes }: MediaCall): Promise<SentForm> {
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type'] ?? '' } })
  const form = await response.formData()
  const fields: Record<string, string[]> = {}
  let file: SentForm['file'] = null
  for (const [name, value] of form) {
    if (typeof value === 'string') (fields[name] ??= []).push(value)
    else file = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) }
  }
  return { fields, file }
}
