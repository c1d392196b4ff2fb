import { addressOf, routeOf } from './route-of.ts'
import type { Entry } from './site-map.ts'

type SidebarItem = {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly SidebarItem[]
}

/** The map in VitePress's format: sections are open, nested groups are closed. */
export function sidebarOf(entries: readonly Entry[], isNested = false): readonly SidebarItem[] {
  return entries.map(({ title, file, route, entries: below }) => ({
    text: title,
    ...(file === undefined ? {} : { link: linkOf(file) }),
    ...(route === undefined ? {} : { link: addressOf(route) }),
    ...(below === undefined ? {} : { items: sidebarOf(below, true), ...(isNested ? { collapsed: true } : {}) }),
  }))
}

function linkOf(file: string): string {
  const [path = '', hash] = file.split('#')
  return addressOf(routeOf(path)) + (hash === undefined ? '' : `#${hash}`)
}
