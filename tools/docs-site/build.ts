import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readDocument } from '../api-types/read-document.ts'
import { installLocked } from '../lib/install-locked.ts'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { docsSiteFolder as tool } from './docs-site-folder.ts'
import { findBrokenLinks } from './find-broken-links.ts'
import { publish } from './publish.ts'
import { referencePages } from './reference/reference-pages.ts'
import { sidebarOf } from './sidebar.ts'
import { filesOf, siteMap } from './site-map.ts'
import { pictures, stagePages } from './stage-pages.ts'

/**
 * `npm run docs:build` builds the documentation site in `docs/dist`, which the gateway serves under `/docs/`. VitePress
 * is installed in this folder from its own lock file, because neither the gateway nor the checks need it.
 */
// Inside the tool's folder, so that pages can import its packages.
const stage = join(tool, '.stage')
const output = join(repositoryRoot, 'docs/dist')
const base = '/docs/'

await installLocked(tool)
const reference = referencePages(await readDocument())
const map = siteMap(reference.filter(({ route }) => route !== 'reference/index'))
rmSync(join(stage, 'pages'), { recursive: true, force: true })
for (const { route, text } of reference) write(join(stage, 'pages', `${route}.md`), text)
for (const [route, text] of stagePages(listFiles(repositoryRoot), filesOf(map))) {
  write(join(stage, 'pages', `${route}.md`), text)
}
cpSync(join(repositoryRoot, 'console/public/weir.svg'), join(stage, 'pages/public/weir.svg'))
cpSync(join(repositoryRoot, pictures), join(stage, 'pages/public/pictures'), { recursive: true })
write(join(stage, 'site.json'), JSON.stringify({ base, sidebar: sidebarOf(map) }))

const program = join(tool, 'node_modules/vitepress/bin/vitepress.js')
const { code, output: said } = await runCommand([process.execPath, program, 'build', tool], { cwd: tool })
if (code !== 0) throw new Error(`vitepress failed:\n${said}`)
await publish(output, base)
const broken = findBrokenLinks(output, base)
for (const link of broken) console.error(`leads nowhere: ${link}`)
process.exitCode = broken.length === 0 ? 0 : 1

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
