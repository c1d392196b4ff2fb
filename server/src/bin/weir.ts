#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { runCommandLine } from './commands/run-command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  readInput: () => text(process.stdin),
})
