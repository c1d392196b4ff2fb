import { isUuid } from '#lib/uuid.ts'

const form = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/** A short name for commands and addresses. One that looks like an id would name two organizations at once. */
export function isSlug(text: string): boolean {
  return form.test(text) && !isUuid(text)
}

/** The slug that a name suggests: its letters and digits without accents, joined by hyphens. Perhaps empty. */
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
