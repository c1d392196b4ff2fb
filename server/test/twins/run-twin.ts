import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { JsonValue } from '#lib/json.ts'
import { type Fields, fieldsOf } from './flat-call.ts'
import { judgeTwin, type TwinVerdict } from './judge-twin.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import { sdksFolder } from './sdks-folder.ts'
import { sendThrough } from './send-through.ts'
import { type SdkCall, type Twin, upstreamKey } from './twin.ts'

export interface RunTwin extends TwinVerdict {
  readonly twin: Twin
  /** The error of a failed side, or null. */
  readonly failure: string | null
}

/** Runs the call on both sides, each over a proxy before its own simulator, and compares them. */
export async function runTwin(twin: Twin): Promise<RunTwin> {
  try {
    const call = await sdkCallOf(twin)
    const sdk = await heard(twin, (origin) => call({ origin, key: upstreamKey }), `the SDK ${twin.sdk}`)
    const ours = await heard(twin, () => twin.ours(), 'our codec')
    return { twin, failure: null, ...judgeTwin(sdk, ours, twin.differences) }
  } catch (thrown) {
    return { twin, failure: String(thrown), explained: [], unexplained: [], idle: [] }
  }
}

async function heard(twin: Twin, act: (origin: string) => Promise<JsonValue>, who: string): Promise<Fields> {
  const upstream = await twin.upstream()
  const proxy = await startRecordingProxy(upstream.url)
  try {
    const answer = await Promise.race([sendThrough(proxy.url, () => act(proxy.url)), tooLate()])
    return fieldsOf(proxy.calls, answer)
  } catch (thrown) {
    const requests = proxy.calls.map(({ method, path }) => `${method} ${path}`).join(', ')
    const text = thrown instanceof Error ? `${thrown.stack ?? thrown.message} ${thrown.cause ?? ''}` : String(thrown)
    throw new Error(`${who} did not end well after ${requests || 'no request'}: ${text}`, { cause: thrown })
  } finally {
    await proxy.close()
    await upstream.close()
  }
}

/** An SDK that does not understand a simulator may retry forever. */
async function tooLate(): Promise<never> {
  await setTimeout(callTimeoutMs, undefined, { ref: false })
  throw new Error(`no end within ${callTimeoutMs} ms`)
}

const callTimeoutMs = 20_000

/** Loads the modules of all twins at once: the largest SDKs have thousands of files. */
export async function loadSdks(twins: readonly Twin[]): Promise<void> {
  await Promise.allSettled([...new Set(twins.map(({ sdk }) => sdk))].map((sdk) => import(moduleOf(sdk))))
}

async function sdkCallOf({ sdk, call }: Twin): Promise<SdkCall> {
  const module: Readonly<Record<string, SdkCall>> = await import(moduleOf(sdk))
  const found = module[call]
  if (found === undefined) throw new Error(`the module of ${sdk} has no function ${call}`)
  return found
}

function moduleOf(sdk: string): string {
  return pathToFileURL(join(sdksFolder, `${sdk.replace('@', '').replaceAll('/', '-')}.mjs`)).href
}
