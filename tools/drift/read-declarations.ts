/** The string literals of a union type in the text of a declaration file. */
export function readUnion(text: string, name: string): string[] {
  const [, body] = new RegExp(`\\btype ${name} = ([^;]+);`).exec(text) ?? []
  if (body === undefined) throw new Error(`there is no type ${name}`)
  return [...body.matchAll(/['"]([^'"]+)['"]/g)].map(([, literal = '']) => literal)
}

/**
 * The members of an interface or class. Members of interfaces in its namespace follow, with the name of the member that
 * has their type.
 */
export function readMembers(text: string, name: string): string[] {
  const body = bodyOf(text, new RegExp(`\\b(?:interface|class) ${name} \\{`))
  if (body === undefined) throw new Error(`there is no interface ${name}`)
  return [...body.matchAll(/^ +(\w+)\??: ([^;]+);/gm)].flatMap(([, member = '', type = '']) => {
    const inner =
      type
        .replace(/ \| null$/, '')
        .split('.')
        .at(-1) ?? ''
    const isOwn = /^[A-Z]\w+$/.test(inner) && new RegExp(`\\b(?:interface|class) ${inner} \\{`).test(text)
    return isOwn ? readMembers(text, inner).map((each) => `${member}.${each}`) : [member]
  })
}

/** The `type` of every interface whose name has this ending. */
export function readTypes(text: string, ending: string): string[] {
  const named = [...text.matchAll(new RegExp(`^export interface (\\w+${ending}) \\{`, 'gm'))]
  return named.flatMap(([, name = '']) => {
    const body = bodyOf(text, new RegExp(`\\binterface ${name} \\{`)) ?? ''
    return [...body.matchAll(/^ {4}type: '([^']+)';/gm)].map(([, type = '']) => type)
  })
}

function bodyOf(text: string, opening: RegExp): string | undefined {
  const found = opening.exec(text)
  if (found === null) return undefined
  const start = found.index + found[0].length
  let depth = 1
  let end = start
  while (depth > 0 && end < text.length) {
    if (text[end] === '{') depth += 1
    if (text[end] === '}') depth -= 1
    end += 1
  }
  return text.slice(start, end - 1).replaceAll(/\/\*[\s\S]*?\*\//g, '')
}
