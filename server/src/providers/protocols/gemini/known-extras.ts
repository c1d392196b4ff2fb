import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** A client's field that only Gemini knows, in any of its spellings. */
export function knownExtra(extras: JsonObject, name: ExtraName): JsonValue | undefined {
  const { spellings, accepts } = knownExtras[name]
  return spellings.map((spelling) => extras[spelling]).find((value) => value !== undefined && accepts(value))
}

export function isKnownExtra(field: string): boolean {
  return Object.values(knownExtras).some(({ spellings }) => spellings.includes(field))
}

type ExtraName = 'safetySettings' | 'cachedContent' | 'modalities' | 'imageConfig' | 'mediaResolution'

interface Extra {
  readonly spellings: readonly string[]
  accepts(value: JsonValue): boolean
}

const isText = (value: JsonValue): boolean => typeof value === 'string'

const knownExtras: Readonly<Record<ExtraName, Extra>> = {
  safetySettings: { spellings: ['safetySettings', 'safety_settings'], accepts: Array.isArray },
  cachedContent: { spellings: ['cachedContent', 'cached_content'], accepts: isText },
  modalities: { spellings: ['modalities', 'responseModalities'], accepts: Array.isArray },
  imageConfig: { spellings: ['imageConfig', 'image_config'], accepts: isJsonObject },
  mediaResolution: { spellings: ['mediaResolution', 'media_resolution'], accepts: isText },
}
