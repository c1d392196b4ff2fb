/**
 * The pages of an organization are below `/o/<slug>` in the URL, and those of the person are not. Within the router the
 * same place is the search parameter `scope`, so that each page is one route and its links keep the scope.
 */
export const scopeRewrite = {
  input: ({ url }: { readonly url: URL }): URL => {
    const inside = new URL(url)
    inside.searchParams.delete('scope')
    const [, scope, path = '/'] = /^\/(o\/[^/]+)(\/.*)?$/.exec(url.pathname) ?? []
    if (scope === undefined) return inside
    inside.pathname = path
    inside.searchParams.set('scope', scope)
    return inside
  },
  output: ({ url }: { readonly url: URL }): URL => {
    const outside = new URL(url)
    const scope = url.searchParams.get('scope')
    if (scope === null) return outside
    outside.searchParams.delete('scope')
    outside.pathname = `/${scope}${url.pathname === '/' ? '' : url.pathname}`
    return outside
  },
}

/** The slash keeps the router from reading a slug such as 2026 as a number. */
export function scopeOf(slug: string): string {
  return `o/${slug}`
}

export function slugOf(scope: string): string {
  return scope.slice('o/'.length)
}
