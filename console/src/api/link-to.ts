import type { paths } from './schema.d.ts'

/** Paths that support GET. */
type Readable = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths]

interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** The URL of a GET endpoint for a link or a player. The browser sends the session cookie with the request. */
export function linkTo(template: Readable, { path = {}, query = {} }: Parts = {}): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(path[name] ?? ''))
  const asked = new URLSearchParams(query).toString()
  return asked === '' ? filled : `${filled}?${asked}`
}
