import { enableCompileCache } from 'node:module'
import { text } from 'node:stream/consumers'
import { programFiles } from './program-files.ts'

enableCompileCache(programFiles.compileCacheFolder)
// A dynamic import, because modules loaded before the cache is enabled are compiled again at every start.
const { runCommandLine } = await import('./command-line/run-command-line.ts')

const code = await runCommandLine(process.argv.slice(2), {
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  readInput: () => text(process.stdin),
  ask,
})
// Exits after a command even if connections or timers are left, so that a service manager sees a failure.
await Promise.all([process.stdout, process.stderr].map(written))
process.exit(code)

/** Returns an empty string if the input ends before a line. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin })
  process.stdout.write(question)
  for await (const line of lines) return line
  return ''
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}
