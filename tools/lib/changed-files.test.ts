import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findChangedFiles } from './changed-files.ts'
import { parseChangedOption } from './parse-changed-option.ts'

describe('the changed files', () => {
  let root: string
  // Personal Git settings, such as signed commits, do not apply.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env, stdio: 'pipe' })
  const write = (name: string) => writeFileSync(join(root, name), `${name} ${Math.random()}\n`)
  const commit = (...names: string[]) => {
    names.forEach(write)
    git('add', '--all')
    git('-c', 'user.name=a', '-c', 'user.email=a@weir.test', 'commit', '--quiet', '--message', names.join(' '))
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'weir-changed-'))
    git('init', '--quiet', '--initial-branch=main')
    commit('.gitignore')
    commit('first')
    commit('second')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('on main are those not committed, new ones and both names of a moved one included', () => {
    write('first')
    write('new')
    git('mv', 'second', 'moved')
    expect(findChangedFiles(root)).toEqual({ paths: ['first', 'moved', 'new', 'second'], span: 'not committed' })
  })

  it('on main with nothing to commit are those of the last commit', () => {
    expect(findChangedFiles(root)).toEqual({ paths: ['second'], span: 'in the last commit' })
  })

  it('on a branch are those that main has not, committed or not', () => {
    git('switch', '--quiet', '--create', 'branch')
    commit('mine')
    git('switch', '--quiet', 'main')
    commit('theirs')
    git('switch', '--quiet', 'branch')
    write('unfinished')
    expect(findChangedFiles(root)).toEqual({ paths: ['mine', 'unfinished'], span: 'since main' })
  })

  it('are those since a reference', () => {
    write('new')
    expect(findChangedFiles(root, 'HEAD~1')).toEqual({ paths: ['new', 'second'], span: 'since HEAD~1' })
    expect(() => findChangedFiles(root, 'nothing')).toThrow('git knows no commit nothing')
  })

  it('are found without a branch called main', () => {
    git('branch', '--move', 'main', 'trunk')
    expect(findChangedFiles(root).paths).toEqual(['second'])
  })
})

it.each([
  [['a'], { isChanged: false, reference: undefined, rest: ['a'] }],
  [['a', '--changed'], { isChanged: true, reference: undefined, rest: ['a'] }],
  [['--changed', '--stress'], { isChanged: true, reference: undefined, rest: ['--stress'] }],
  [['--changed', 'HEAD~2', 'a'], { isChanged: true, reference: 'HEAD~2', rest: ['a'] }],
  [['--changed=main', 'a'], { isChanged: true, reference: 'main', rest: ['a'] }],
])('reads the option of %j', (args, option) => {
  expect(parseChangedOption(args)).toEqual(option)
})
