import { rmSync } from 'node:fs'
import { join } from 'node:path'
import startEngines from '../../../server/test/setup/engines.ts'
import type { SourceFile } from '../../lib/source-file.ts'
import type { VitestResults } from '../../lib/vitest-results.ts'
import { copyTree } from '../../lib/copy-tree.ts'
import { applyEdits, type Edit } from './edit.ts'
import { runTests, type TestOptions } from '../../lib/run-tests.ts'

/** A copy of the tree in which faults are planted, and engines that all its test runs share. */
export type Sandbox = {
  readonly root: string
  /** The text without any fault. */
  readonly textOf: (path: string) => string
  /** Runs tests with these edits and new files, then reverts both. */
  readonly runWith: (edits: readonly Edit[], options: TestOptions & NewFiles) => Promise<VitestResults>
  readonly close: () => Promise<void>
}

type NewFiles = { readonly files?: readonly SourceFile[] }

export async function openSandbox(): Promise<Sandbox> {
  const tree = copyTree()
  const endEngines = await startEngines()
  const texts = new Map(tree.files.map(({ path, text }) => [path, text]))
  const textOf = (path: string): string => {
    const text = texts.get(path)
    if (text === undefined) throw new Error(`there is no ${path}`)
    return text
  }
  return {
    root: tree.root,
    textOf,
    runWith: async (edits, { files = [], ...options }) => {
      const byFile = Map.groupBy(edits, ({ file }) => file)
      for (const [file, ofFile] of byFile) tree.write(file, applyEdits(textOf(file), ofFile))
      for (const { path, text } of files) tree.write(path, text)
      try {
        return await runTests(tree.root, options)
      } finally {
        for (const file of byFile.keys()) tree.write(file, textOf(file))
        for (const { path } of files) rmSync(join(tree.root, path))
      }
    },
    close: async () => {
      await endEngines()
      tree.remove()
    },
  }
}
