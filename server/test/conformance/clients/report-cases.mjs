import { setTimeout as wait } from 'node:timers/promises'

const caseTimeoutMs = 20_000

/** Runs the cases sequentially and prints a line of JSON for each. */
export async function reportCases(cases, timeoutMs = caseTimeoutMs) {
  for (const [name, run] of Object.entries(cases)) {
    const startedAtMs = Date.now()
    const message = await failureOf(run, timeoutMs)
    const line = { name, passed: message === null, message, elapsedMs: Date.now() - startedAtMs }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

/** A case that a client cannot pass for a known reason: it passes as long as it fails in exactly this way. */
export function expectedFailure(pattern, run) {
  return async () => {
    const failure = await run().then(
      () => null,
      (error) => error,
    )
    if (failure === null) throw new Error('it went well: it is no longer an expected failure')
    const text = failure.cause === undefined ? textOf(failure) : `${textOf(failure)}: ${textOf(failure.cause)}`
    if (!pattern.test(text)) throw new Error(`it failed in another way: ${text}`)
  }
}

async function failureOf(run, timeoutMs) {
  const tooLate = new AbortController()
  const deadline = wait(timeoutMs, null, { signal: tooLate.signal }).then(
    () => {
      throw new Error(`not over after ${timeoutMs} ms`)
    },
    () => null,
  )
  try {
    await Promise.race([run(), deadline])
    return null
  } catch (error) {
    return textOf(error)
  } finally {
    tooLate.abort()
  }
}

function textOf(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
