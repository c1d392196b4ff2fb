import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { Lined, LinedPath } from '#control/organizations/apply/lined.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonValue } from '#lib/json.ts'

/** The most digits for which a number in the file stays exact. */
const digitsMax = 15

/** Reads YAML, including JSON, and keeps the line numbers. */
export function readLinedYaml(text: string): Lined {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) throw malformed(`line ${lines.linePos(problem.pos[0]).line}: ${problem.message}`)
  const value: JsonValue = document.toJS()
  const lineAt = (path: LinedPath): number => lines.linePos(offsetAt(document.contents, path)).line
  refuseLongNumbers(document.contents, lines)
  return { value, lineAt }
}

/** The offset of a field or a list entry. */
function offsetAt(root: Node | null, path: LinedPath): number {
  let offset = root?.range?.[0] ?? 0
  let node: unknown = root
  for (const name of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
      offset = (isScalar(pair?.key) ? pair.key.range?.[0] : undefined) ?? offset
      node = pair?.value
    } else {
      node = isSeq(node) ? node.items[Number(name)] : undefined
      offset = rangeOf(node) ?? offset
    }
  }
  return offset
}

function rangeOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined
}

function refuseLongNumbers(node: unknown, lines: LineCounter): void {
  if (isPair(node)) refuseLongNumbers(node.value, lines)
  if (isMap(node) || isSeq(node)) for (const item of node.items) refuseLongNumbers(item, lines)
  if (!isScalar(node) || typeof node.value !== 'number') return
  const digits = (node.source ?? '').replaceAll(/\D/g, '').length
  if (digits <= digitsMax) return
  const { line } = lines.linePos(node.range?.[0] ?? 0)
  throw malformed(`line ${line}: ${node.source} has more than ${digitsMax} digits.`)
}
