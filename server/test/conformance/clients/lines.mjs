import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { reportCases } from './report-cases.mjs'

const folder = join(import.meta.dirname, 'lines')

// `docs/tools.md` shows each of these files verbatim, and this runs each unchanged, with only WEIR_URL and WEIR_KEY.
await reportCases(
  Object.fromEntries(
    readdirSync(folder).map((name) => [
      `${name} of docs/tools.md`,
      async () => {
        const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)])
        assert.equal(stdout, 'Hello there\n')
      },
    ]),
  ),
)
