import { originHeader } from './recording-proxy.ts'

/**
 * Redirects every `fetch` of this process to the proxy while `act` runs, whatever its host. SDKs and codecs thus keep
 * their own addresses, so hosts are compared too, and nothing ever leaves the machine.
 */
export async function sendThrough<Result>(proxyUrl: string, act: () => Promise<Result>): Promise<Result> {
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { origin, pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    if (!loopback.test(origin)) headers.set(originHeader, origin)
    const body = request.body === null ? undefined : await request.arrayBuffer()
    const { method, redirect, signal } = request
    return original(proxyUrl + pathname + search, {
      method,
      headers,
      redirect,
      signal,
      ...(body === undefined ? {} : { body }),
    })
  }
  try {
    return await act()
  } finally {
    globalThis.fetch = original
  }
}

const loopback = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?$/
