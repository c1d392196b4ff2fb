import { setTimeout as wait } from 'node:timers/promises'

const caseTimeoutMs = 20_000

/** Runs the cases one after another and prints a line of JSON for each. */
export async function reportCases(cases) {
  for (const [name, run] of Object.entries(cases)) {
    const startedAtMs = Date.now()
    const message = await failureOf(run)
    const line = { name, passed: message === null, message, elapsedMs: Date.now() - startedAtMs }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

async function failureOf(run) {
  const tooLate = new AbortController()
  const deadline = wait(caseTimeoutMs, null, { signal: tooLate.signal }).then(
    () => {
      throw new Error(`not over after ${caseTimeoutMs} ms`)
    },
    () => null,
  )
  try {
    await Promise.race([run(), deadline])
    return null
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } finally {
    tooLate.abort()
  }
}
