import type { AppTraits } from './app-traits.ts'

/**
 * The path for submitting a task: most apps have one path for text and another for images. An explicit path is kept.
 */
export function submitPath(app: string, { edits, wordsPath = '' }: AppTraits, start: 'words' | 'images'): string {
  if (start === 'words') return appPath(statedPath.test(app) ? app : app + wordsPath)
  const path = edits?.path ?? ''
  if (path === '' || editingPath.test(app)) return appPath(app)
  return appPath(app.replace(/\/text-to-image$/, '') + path)
}

const editingPath = /\/(?:edit|image-to-image|remix|multi)$/
const statedPath = /\/(?:edit|image-to-image|remix|multi|text-to-image)$/

/** The path for polling a task: only the owner and the name, whatever path of the app it was submitted to. */
export function requestPath(app: string, requestId: string): string {
  const segments = app.split('/')
  const count = namespaces.has(segments[0] ?? '') ? 3 : 2
  return `${appPath(segments.slice(0, count).join('/'))}/requests/${encodeURIComponent(requestId)}`
}

const namespaces: ReadonlySet<string> = new Set(['workflows', 'comfy'])

export function appPath(app: string): string {
  return `/${app.split('/').map(encodeURIComponent).join('/')}`
}
