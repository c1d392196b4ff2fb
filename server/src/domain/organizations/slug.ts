import { isUuid } from '#lib/uuid.ts'

const form = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/** A short name for commands and URLs. It must not look like an id, because it would then be ambiguous. */
export function isSlug(text: string): boolean {
  return form.test(text) && !isUuid(text)
}

/** The slug suggested by a name: its letters and digits without accents, joined by hyphens. It may be empty. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 64)
    .replace(/-$/, '')
}
