import { runCommandLine } from '#bin/command-line/run-command-line.ts'

interface WeirRun {
  code: number
  out: string
  error: string
}

/** Runs a `weir` command in this process. */
export async function runWeir(...words: string[]): Promise<WeirRun> {
  let out = ''
  let error = ''
  const code = await runCommandLine(words, {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}
