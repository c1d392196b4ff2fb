import { runCommand } from './run-command.ts'

/** Runs a command that must succeed and returns its output. */
export async function must(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output } = await runCommand(command, { cwd, env })
  if (code !== 0) throw new Error(`${command.join(' ')} failed with ${code}:\n${output}`)
  return output
}
