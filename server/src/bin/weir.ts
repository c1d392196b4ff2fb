import { enableCompileCache } from 'node:module'
import { text } from 'node:stream/consumers'
import { programFiles } from './program-files.ts'

enableCompileCache(programFiles.compileCacheFolder)
// Imported only now, because what is loaded before the cache is enabled is compiled anew at every start.
const { runCommandLine } = await import('./command-line/run-command-line.ts')

const code = await runCommandLine(process.argv.slice(2), {
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  readInput: () => text(process.stdin),
  ask,
})
// A command that is over ends the process, whatever connection or timer it has left behind: a service manager must see
// that it has failed.
await Promise.all([process.stdout, process.stderr].map(written))
process.exit(code)

/** An input that ends before a line says nothing. */
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
