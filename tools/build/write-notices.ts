import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the licences of all packages in the build, as most of them require. */
export function writeNotices(folder: string, files: readonly string[]): void {
  const packages = new Set(files.flatMap((file) => packageFolderOf(file) ?? []))
  const notices = [...packages].sort().map(noticeOf)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), `${notices.join(`\n${'-'.repeat(80)}\n`)}`)
}

/** The innermost package that contains a file. The bundler's virtual files have none. */
function packageFolderOf(file: string): string | undefined {
  const folder = /^(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : undefined
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${[`${name} ${version}`, `Licence: ${license}`, ...texts].join('\n\n')}\n`
}
