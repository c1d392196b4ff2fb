import { parseAst } from 'rolldown/parseAst'

/**
 * Keeps closures that are assigned to properties out of V8's old generation.
 *
 * V8 allocates `object.property = () => …` directly in the old generation, as if it were the method of a prototype. If
 * this runs for each request, the closure stays until the next full collection, and all that it captures survives
 * young collections: before, some 26 KB per request, much of it in the clients of Redis and HTTP. The parser decides by
 * the form of the code, and `object.property = (0, () => …)` is another form with the same meaning.
 *
 * Assignments outside functions run once and stay unchanged. No line moves, so source maps stay valid.
 */
export function keepClosuresYoung(code: string): string {
  const places: { at: number; text: string }[] = []
  const visit = (node: unknown, isInFunction: boolean): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, isInFunction)
      return
    }
    if (!isNode(node)) return
    if (isInFunction && isClosureAssignment(node)) {
      places.push({ at: node.right.start, text: '(0, ' }, { at: node.right.end, text: ')' })
    }
    const isInside = isInFunction || isFunction(node)
    for (const value of Object.values(node)) visit(value, isInside)
  }
  visit(parseAst(code), false)
  return insert(code, places)
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface ClosureAssignment extends Node {
  readonly right: Node
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function isClosureAssignment(node: Node): node is ClosureAssignment {
  if (node.type !== 'AssignmentExpression' || !('left' in node && 'right' in node && 'operator' in node)) return false
  const { left, right, operator } = node
  return operator === '=' && isNode(left) && left.type === 'MemberExpression' && isNode(right) && isFunction(right)
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'
}

function insert(code: string, places: readonly { at: number; text: string }[]): string {
  let result = ''
  let from = 0
  for (const { at, text } of places.toSorted((one, other) => one.at - other.at)) {
    result += code.slice(from, at) + text
    from = at
  }
  return result + code.slice(from)
}
