/**
 * The folder directly below `parent` that contains a file, or undefined for files elsewhere or beside those folders.
 */
export function childOf(parent: string, path: string): string | undefined {
  if (!path.startsWith(parent)) return undefined
  const names = path.slice(parent.length).split('/')
  return names.length > 1 ? names[0] : undefined
}
