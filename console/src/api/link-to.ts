import type { paths } from './schema.d.ts'

/** The paths that answer a GET. */
type Readable = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths]

interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/**
 * The address of an answer that the browser fetches by itself, for a link or a player. The session's cookie goes along.
 */
export function linkTo(template: Readable, { path = {}, query = {} }: Parts = {}): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(path[name] ?? ''))
  const asked = new URLSearchParams(query).toString()
  return asked === '' ? filled : `${filled}?${asked}`
}
