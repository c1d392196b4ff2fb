import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let launched: Promise<Browser> | undefined

/** Debian's Chromium, once for all test files. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: process.env['WEIR_CHROMIUM'] ?? '/usr/bin/chromium',
    headless: true,
    args: flags,
  })
  return launched
}

/** A page that remembers what a person would never see: errors, violations of the policy, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong so far. */
  readonly problems: readonly string[]
  /** A message that this test brings about on purpose, such as a refusal by the gateway. */
  tolerate(pattern: RegExp): void
}

export async function openPage(origin: string): Promise<WatchedPage> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  // It ends what hangs, and nothing else: the machine may be busy.
  page.setDefaultTimeout(90_000)
  const seen: string[] = []
  const tolerated: RegExp[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      seen.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => seen.push(`exception: ${error.message}`))
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob|about):/.test(url)) seen.push(`foreign request: ${url}`)
  })
  return {
    page,
    context,
    get problems() {
      return seen.filter((problem) => !tolerated.some((pattern) => pattern.test(problem)))
    },
    tolerate: (pattern) => tolerated.push(pattern),
  }
}
