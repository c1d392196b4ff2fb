export type Language = 'curl' | 'typescript' | 'python'

export const languages: readonly { readonly id: Language; readonly label: string }[] = [
  { id: 'curl', label: 'curl' },
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
]

type Call = { readonly method: string; readonly path: string; readonly body: string | null }

/** Renders a request as code that reads a key from the environment instead of using the browser's session. */
export function snippetOf(language: Language, call: Call, origin: string): string {
  switch (language) {
    case 'curl':
      return curlOf(call, origin)
    case 'typescript':
      return typescriptOf(call, origin)
    case 'python':
      return pythonOf(call, origin)
  }
}

function curlOf({ method, path, body }: Call, origin: string): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${shell(origin + path)}`]
  lines.push('  -H "Authorization: Bearer $WEIR_KEY"')
  if (body !== null) lines.push("  -H 'Content-Type: application/json'", `  -d ${shell(body)}`)
  return lines.join(' \\\n')
}

function typescriptOf({ method, path, body }: Call, origin: string): string {
  const headers = ['    Authorization: `Bearer ${process.env.WEIR_KEY}`,']
  if (body !== null) headers.push("    'Content-Type': 'application/json',")
  return [
    `const response = await fetch(${quote(origin + path)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers,
    '  },',
    ...(body === null ? [] : [`  body: ${quote(body)},`]),
    '})',
    'console.log(await response.json())',
  ].join('\n')
}

function pythonOf({ method, path, body }: Call, origin: string): string {
  const headers = ['"Authorization": f"Bearer {os.environ[\'WEIR_KEY\']}"']
  if (body !== null) headers.push('"Content-Type": "application/json"')
  return [
    'import os, httpx',
    '',
    `response = httpx.request(`,
    `    "${method}", ${JSON.stringify(origin + path)},`,
    `    headers={${headers.join(', ')}},`,
    ...(body === null ? [] : [`    content=${JSON.stringify(body)},`]),
    ')',
    'print(response.json())',
  ].join('\n')
}

// In single quotes, a shell interprets only the quote itself.
function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}
