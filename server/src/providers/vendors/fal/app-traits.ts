/** How one family of apps wants to be asked. */
export interface AppTraits {
  readonly form: 'pixels' | 'ratio'
  /** How many images one submit makes at most. */
  readonly atOnce: number
  /** Null where images are made from words alone. */
  readonly edits: EditTraits | null
  /** What follows the app's name where it starts from words, for apps that are there to change images. */
  readonly wordsPath?: string
  readonly takesQuality?: true
}

export interface EditTraits {
  /** What follows the app's name where it starts from images; empty where one path does both. */
  readonly path: string
  readonly field: 'image_url' | 'image_urls'
  readonly most: number
}

export function appTraitsOf(app: string): AppTraits {
  return families.find(({ is }) => is.test(app))?.traits ?? anyApp
}

const several: EditTraits = { path: '/edit', field: 'image_urls', most: 8 }
const oneBeside: EditTraits = { path: '/image-to-image', field: 'image_url', most: 1 }
const oneHere: EditTraits = { path: '', field: 'image_url', most: 1 }

const anyApp: AppTraits = { form: 'pixels', atOnce: 1, edits: oneHere }

const families: readonly { is: RegExp; traits: AppTraits }[] = [
  { is: /\/flux-pro\/kontext.*\/multi$/, traits: { form: 'ratio', atOnce: 4, edits: { ...several, path: '' } } },
  { is: /\/flux-pro\/kontext/, traits: { form: 'ratio', atOnce: 4, edits: oneHere, wordsPath: '/text-to-image' } },
  { is: /\/flux-pro\/v1\.1-ultra/, traits: { form: 'ratio', atOnce: 4, edits: oneHere } },
  { is: /\/flux-pro\//, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /\/flux-2-(?:pro|max|flex)/, traits: { form: 'pixels', atOnce: 1, edits: several } },
  { is: /\/flux-2/, traits: { form: 'pixels', atOnce: 4, edits: several } },
  { is: /\/flux\/schnell/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /\/flux\//, traits: { form: 'pixels', atOnce: 4, edits: oneBeside } },
  { is: /nano-banana|gemini-.*-image/, traits: { form: 'ratio', atOnce: 4, edits: several } },
  { is: /gpt-image/, traits: { form: 'pixels', atOnce: 4, edits: several, takesQuality: true } },
  { is: /imagen/, traits: { form: 'ratio', atOnce: 4, edits: null } },
  { is: /seedream-v4|seedream\/v[4-9]/, traits: { form: 'pixels', atOnce: 4, edits: several } },
  { is: /seedream|dreamina/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /ideogram\/v2/, traits: { form: 'ratio', atOnce: 1, edits: null } },
  { is: /ideogram/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /\/qwen-image$/, traits: { form: 'pixels', atOnce: 4, edits: oneBeside } },
  { is: /hidream|stable-diffusion/, traits: { form: 'pixels', atOnce: 4, edits: null } },
  { is: /recraft/, traits: { form: 'pixels', atOnce: 1, edits: null } },
  { is: /^bria\//, traits: { form: 'ratio', atOnce: 1, edits: null } },
]
