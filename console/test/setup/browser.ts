import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'

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

/** Headless Debian Chromium, shared by all test files of a process. It exits with the process. */
function openBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: process.env['WEIR_TEST_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    headless: true,
    args: flags,
  })
  return launched
}

const size = { width: 1440, height: 900 }

const tabs = new Map<string, Promise<Page>>()

/**
 * One tab per gateway, shared by all tests of a process one after another: it keeps the console's compiled code, which
 * takes two thirds of a first load. Each test starts without cookies, storage and page.
 */
function openTab(origin: string): Promise<Page> {
  const tab = tabs.get(origin) ?? newTab(origin)
  tabs.set(origin, tab)
  return tab
}

async function newTab(origin: string): Promise<Page> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: origin,
    viewport: size,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  // Long, because the machine may be busy: it only ends a hung test.
  page.setDefaultTimeout(90_000)
  return page
}

/** A page that records the problems a person would not see: errors, policy violations, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** The problems so far. */
  readonly problems: readonly string[]
  /** Ignores a message that this test causes on purpose, such as a rejection by the gateway. */
  tolerate(pattern: RegExp): void
  /** Hands the tab to the next test. The tab of a failed test is closed, because its state is unknown. */
  end(hasFailed: boolean): Promise<void>
}

export async function openPage(origin: string): Promise<WatchedPage> {
  const page = await openTab(origin)
  const context = page.context()
  const seen: string[] = []
  const tolerated: RegExp[] = []
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() === 'error' || message.type() === 'warning')
      seen.push(`console: ${message.text()} ${message.location().url}`)
  }
  const onError = (error: Error): void => void seen.push(`exception: ${error.message}`)
  const onRequest = (request: Request): void => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob|about):/.test(url)) seen.push(`foreign request: ${url}`)
  }
  page.on('console', onConsole)
  page.on('pageerror', onError)
  context.on('request', onRequest)
  return {
    page,
    context,
    get problems() {
      return seen.filter((problem) => !tolerated.some((pattern) => pattern.test(problem)))
    },
    tolerate: (pattern) => tolerated.push(pattern),
    end: async (hasFailed) => {
      page.off('console', onConsole)
      page.off('pageerror', onError)
      context.off('request', onRequest)
      if (hasFailed) tabs.delete(origin)
      await (hasFailed ? context.close() : clear(page))
    },
  }
}

async function clear(page: Page): Promise<void> {
  if (page.url().startsWith('http')) await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.setViewportSize(size)
}
