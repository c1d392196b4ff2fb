import type { Page } from 'playwright-core'

/** Returns the places where a page or its scripts could still read a secret. */
export async function placesWith(page: Page, secret: string): Promise<string[]> {
  const texts = await page.evaluate<Record<string, string>>(`(async () => ({
    address: location.href,
    history: JSON.stringify(history.state),
    name: window.name,
    cookies: document.cookie,
    'local storage': JSON.stringify({ ...localStorage }),
    'session storage': JSON.stringify({ ...sessionStorage }),
    databases: JSON.stringify(await indexedDB.databases()),
    caches: JSON.stringify(await caches.keys()),
    page: document.documentElement.outerHTML,
    fields: JSON.stringify([...document.querySelectorAll('input, textarea')].map(({ value }) => value)),
  }))()`)
  return Object.entries(texts).flatMap(([place, text]) => (text.includes(secret) ? [place] : []))
}
