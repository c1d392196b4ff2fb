import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressFolder } from '../lib/compress-folder.ts'

/**
 * Adapts the build to the gateway's content security policy, which allows neither inline scripts nor style attributes,
 * and writes `.br` and `.gz` beside every text file.
 */
export async function publish(folder: string, base: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  await mkdir(join(folder, 'assets'), { recursive: true })
  const scripts = new Map<string, string>()
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const path = join(folder, file)
    await writeFile(path, withoutInline(await readFile(path, 'utf8'), { base, scripts }))
  }
  for (const [name, text] of scripts) await writeFile(join(folder, name), text)
  await compressFolder(folder, 9)
}

/** Moves a page's inline scripts to files named by their content, and removes style attributes. */
export function withoutInline(html: string, { base, scripts }: { base: string; scripts: Map<string, string> }): string {
  return html
    .replaceAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g, (_all, attributes: string, text: string) => {
      const name = `assets/inline.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.js`
      scripts.set(name, text)
      return `<script${attributes} src="${base}${name}"></script>`
    })
    .replaceAll(/<[a-z][^<>]*\sstyle="[^"]*"[^<>]*>/g, (tag) => tag.replaceAll(/\sstyle="[^"]*"/g, ''))
}
