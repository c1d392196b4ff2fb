import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'

/** What `npm run check` asks of the tree; nothing here changes a file. */
const checks = [
  { name: 'format', command: ['biome', 'format', '.'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'rules', command: [process.execPath, 'tools/check/rules.ts'] },
]

// All at once: each is a process of its own, and together they take as long as the slowest.
const verdicts = await Promise.all(
  checks.map(async ({ name, command }) => {
    const { code, output, elapsedMs } = await runCommand(command, { cwd: repositoryRoot })
    const seconds = `${(elapsedMs / 1000).toFixed(1)} s`
    console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name.padEnd(8)} ${seconds.padStart(7)}`)
    if (code !== 0) console.log(output.trim().replace(/^/gm, '  '))
    return code === 0
  }),
)

const failed = verdicts.filter((passed) => !passed).length
console.log(`${verdicts.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
