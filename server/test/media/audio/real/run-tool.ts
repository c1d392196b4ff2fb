import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a program writes, given this to read; fails with its complaints where it fails. */
export async function runTool(command: string, args: readonly string[], input = ''): Promise<Buffer> {
  const child = spawn(command, args, { stdio: 'pipe' })
  const output: Buffer[] = []
  const complaints: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes))
  // Most of them read nothing, and may be gone before they are given anything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new Error(`${command} ended with ${code}: ${Buffer.concat(complaints).toString().slice(-2_000)}`)
  return Buffer.concat(output)
}
