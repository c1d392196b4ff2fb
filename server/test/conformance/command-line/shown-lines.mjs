import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { key, url } from '../clients/surroundings.mjs'
import { home } from './run-command.mjs'

/** The configuration of a tool from `docs/tools.md`, with our address and key filled in. */
export async function readShownLines(name) {
  const lines = await readFile(join(import.meta.dirname, 'lines', name), 'utf8')
  return lines.replaceAll('http://127.0.0.1:8484', url).replaceAll('sk-weir-…', key)
}

/** Writes only that configuration to the path where the tool expects it, in a new home. Returns the home. */
export async function homeWithShownLines(name, place) {
  const folder = join(home, 'shown')
  await mkdir(dirname(join(folder, place)), { recursive: true })
  await writeFile(join(folder, place), await readShownLines(name))
  return folder
}
