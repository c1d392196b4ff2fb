import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a program with this input and returns its output; fails with its error output. */
export async function runTool(command: string, args: readonly string[], input = ''): Promise<Buffer> {
  const child = spawn(command, args, { stdio: 'pipe' })
  const output: Buffer[] = []
  const complaints: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes))
  // Most programs read nothing, and may exit before the input is written.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new Error(`${command} ended with ${code}: ${Buffer.concat(complaints).toString().slice(-2_000)}`)
  return Buffer.concat(output)
}
