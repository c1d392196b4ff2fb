import type { JsonObject } from '#lib/json.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'

interface ImageModelOptions {
  readonly pricing?: JsonObject
  readonly inputs?: readonly string[]
  readonly outputs?: readonly string[]
  readonly kind?: string
  readonly image?: JsonObject
  readonly upstream?: string
}

/** An image model in the format of an import file. */
export function imageModel(id: string, provider: string, options: ImageModelOptions = {}): JsonObject {
  const { pricing = { per_image_output: '0.04' }, kind = 'image' } = options
  return {
    id,
    name: id,
    kind,
    provider,
    upstream_model_id: options.upstream ?? id.split('/')[1] ?? id,
    input_modalities: [...(options.inputs ?? ['text', 'image'])],
    output_modalities: [...(options.outputs ?? ['image'])],
    pricing,
    status: 'active',
    ...(options.image === undefined ? {} : { image: options.image }),
  }
}

/** The URLs in a response of the images endpoints. */
export function urlsOf({ list }: Reply): string[] {
  return list.map(({ url }) => String(url))
}

export const proxyUrl = new RegExp(`^${ownOrigin.replaceAll('.', '\\.')}/v1/images/proxy/[\\w.~-]+$`)

export function codeOf({ error }: Reply): unknown {
  return error.code
}

/** A form with files, by default in the field `image`. */
export function formOf(fields: Readonly<Record<string, string>>, files: readonly Buffer[], field = 'image'): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  files.forEach((bytes, index) => form.append(field, new Blob([new Uint8Array(bytes)]), `picture-${index}.txt`))
  return form
}
