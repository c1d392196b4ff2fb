/** The request format of one app family. */
export interface AppTraits {
  readonly form: 'pixels' | 'ratio'
  /** Maximum images per request. */
  readonly atOnce: number
  /** Null if images are created from text only. */
  readonly edits: EditTraits | null
  /** Path suffix for text input, for apps whose main purpose is editing images. */
  readonly wordsPath?: string
  readonly takesQuality?: true
  /** For an app with ratios: the ratios that it accepts, if they are not the usual ones. */
  readonly ratios?: readonly string[]
}

interface EditTraits {
  /** Path suffix for image input. Empty if one path does both. */
  readonly path: string
  readonly field: 'image_url' | 'image_urls'
  readonly most: number
}

export function appTraitsOf(app: string): AppTraits {
  return families.find(({ is }) => is.test(app))?.traits ?? anyApp
}

/** Listings name some apps that are not endpoints. */
export function endpointOf(app: string): string {
  return renamed.get(app) ?? app
}

const renamed: ReadonlyMap<string, string> = new Map([
  ['fal-ai/seedream-v4', 'fal-ai/bytedance/seedream/v4/text-to-image'],
  ['fal-ai/recraft-v3', 'fal-ai/recraft/v3/text-to-image'],
])

export const usualRatios = ['1:1', '4:3', '3:4', '3:2', '2:3', '5:4', '4:5', '16:9', '9:16', '21:9']
const imagenRatios = ['1:1', '4:3', '3:4', '16:9', '9:16']
const ideogramRatios = [...imagenRatios, '3:2', '2:3', '16:10', '10:16', '3:1', '1:3']
const kontextRatios = [...imagenRatios, '3:2', '2:3', '21:9', '9:21']
const briaRatios = usualRatios.filter((ratio) => ratio !== '21:9')

const several: EditTraits = { path: '/edit', field: 'image_urls', most: 8 }
const oneBeside: EditTraits = { path: '/image-to-image', field: 'image_url', most: 1 }
const oneHere: EditTraits = { path: '', field: 'image_url', most: 1 }

const anyApp: AppTraits = { form: 'pixels', atOnce: 1, edits: oneHere }

const families: readonly { is: RegExp; traits: AppTraits }[] = [
  {
    is: /\/flux-pro\/kontext.*\/multi$/,
    traits: { form: 'ratio', atOnce: 4, edits: { ...several, path: '' }, ratios: kontextRatios },
  },
  {
    is: /\/flux-pro\/kontext/,
    traits: { form: 'ratio', atOnce: 4, edits: oneHere, wordsPath: '/text-to-image', ratios: kontextRatios },
  },
  { is: /\/flux-pro\/v1\.1-ultra/, traits: { form: 'ratio', atOnce: 4, edits: oneHere } },
  { is: /\/flux-pro\//, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /\/flux-2-(?:pro|max|flex)/, traits: { form: 'pixels', atOnce: 1, edits: several } },
  { is: /\/flux-2/, traits: { form: 'pixels', atOnce: 4, edits: several } },
  { is: /\/flux\/schnell/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /\/flux\//, traits: { form: 'pixels', atOnce: 4, edits: oneBeside } },
  { is: /nano-banana|gemini-.*-image/, traits: { form: 'ratio', atOnce: 4, edits: several } },
  { is: /gpt-image/, traits: { form: 'pixels', atOnce: 4, edits: several, takesQuality: true } },
  { is: /imagen/, traits: { form: 'ratio', atOnce: 4, edits: null, ratios: imagenRatios } },
  { is: /seedream\/v[4-9]/, traits: { form: 'pixels', atOnce: 4, edits: several } },
  { is: /seedream|dreamina/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /ideogram\/v2/, traits: { form: 'ratio', atOnce: 1, edits: null, ratios: ideogramRatios } },
  { is: /ideogram/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /\/qwen-image$/, traits: { form: 'pixels', atOnce: 4, edits: oneBeside } },
  { is: /hidream|stable-diffusion/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /recraft/, traits: { form: 'pixels', atOnce: 1, edits: null } },
  { is: /^bria\//, traits: { form: 'ratio', atOnce: 1, edits: null, ratios: briaRatios } },
]
