// `node tools/start.js <file.ts> [arguments]`: runs a tool on a Node that can read it, or says in one sentence which
// Node it needs.
import module from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import '../server/src/bin/require-node.js'

// A tool and its child processes load thousands of modules. With the cache, Node compiles each of them once instead of
// once per process.
const compileCacheFolder = fileURLToPath(new URL('../.weir/compile-cache', import.meta.url))
process.env.NODE_COMPILE_CACHE ??= compileCacheFolder
module.enableCompileCache(compileCacheFolder)

process.argv.splice(1, 1)
import(pathToFileURL(resolve(process.argv[1])).href)
