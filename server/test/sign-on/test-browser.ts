import { ownOrigin } from '#test/setup/own-origin.ts'

/** A page that a browser has reached. */
interface Page {
  readonly url: URL
  readonly status: number
  readonly text: string
  readonly location: string | null
}

/** Where the page is that led to an address, as browsers tell it. */
type Site = 'same-origin' | 'cross-site'

/** A browser without a screen: it keeps cookies by host and follows redirects. */
export interface TestBrowser {
  /** Opens a page and follows redirects while `follows` allows it. */
  open(
    address: string,
    options?: { form?: Record<string, string>; follows?: (url: URL) => boolean; site?: Site },
  ): Promise<Page>
  /** Sets a cookie of the gateway. */
  setCookie(name: string, value: string): void
  /** The `Cookie` header for the gateway, or undefined. */
  readonly cookie: string | undefined
}

const redirectsMax = 20

/** The gateway's public address is a name, so it is replaced by the real one. */
export function openBrowser(gatewayUrl: string): TestBrowser {
  const jar = new Map<string, Map<string, string>>()
  const cookiesOf = (host: string): Map<string, string> => {
    const known = jar.get(host) ?? new Map<string, string>()
    jar.set(host, known)
    return known
  }
  const headerOf = (host: string): string | undefined => {
    const cookies = [...cookiesOf(host)].map(([name, value]) => `${name}=${value}`)
    return cookies.length === 0 ? undefined : cookies.join('; ')
  }
  async function request(url: URL, form: Record<string, string> | undefined, site: Site): Promise<Page> {
    const cookie = headerOf(url.host)
    const response = await fetch(url.origin === ownOrigin ? gatewayUrl + url.pathname + url.search : url, {
      redirect: 'manual',
      headers: { 'sec-fetch-site': site, ...(cookie === undefined ? {} : { cookie }) },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookiesOf(url.host).delete(name)
      else cookiesOf(url.host).set(name, value)
    }
    return { url, status: response.status, text: await response.text(), location: response.headers.get('location') }
  }
  return {
    async open(address, { form, follows = () => true, site = 'same-origin' } = {}) {
      let page = await request(new URL(address, ownOrigin), form, site)
      for (let count = 0; page.location !== null && count < redirectsMax; count += 1) {
        const next = new URL(page.location, page.url)
        if (!follows(next)) break
        // Pages of the console are the end of a sign-on.
        if (next.origin === ownOrigin && next.pathname.startsWith('/console')) return { ...page, url: next }
        page = await request(next, undefined, 'cross-site')
      }
      return page
    },
    setCookie: (name, value) => void cookiesOf(new URL(ownOrigin).host).set(name, value),
    get cookie() {
      return headerOf(new URL(ownOrigin).host)
    },
  }
}
