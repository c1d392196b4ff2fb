// `node tools/start.js <file.ts> [arguments]`: runs a tool on a Node that can read it, or says in one sentence which Node it needs.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import '../server/src/bin/require-node.js'

process.argv.splice(1, 1)
import(pathToFileURL(resolve(process.argv[1])).href)
