/** Token types with a color in the theme's `style.css`, such as `.code-comment`. */
type Kind = 'comment' | 'string' | 'keyword' | 'literal' | 'name' | 'added' | 'removed'
type Grammar = Partial<Record<Kind, RegExp>>

const quoted = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/
const numbers = /\b\d[\d_]*(?:\.\d+)?\b/
const hash = /(?<=^|\s)#.*/

const script: Grammar = {
  comment: /\/\/.*|\/\*[\s\S]*?\*\//,
  string: new RegExp(`${quoted.source}|\`(?:\\\\.|[^\`\\\\])*\``),
  keyword:
    /\b(?:as|async|await|break|case|class|const|continue|default|else|export|extends|finally|for|from|function|if|import|in|interface|let|new|of|readonly|return|satisfies|switch|throw|try|type|typeof|while|yield)\b/,
  literal: new RegExp(`\\b(?:true|false|null|undefined)\\b|${numbers.source}`),
}

const grammars: Readonly<Record<string, Grammar>> = {
  js: script,
  ts: script,
  typescript: script,
  json: {
    name: /"(?:\\.|[^"\\\n])*"(?=\s*:)/,
    string: quoted,
    literal: new RegExp(`\\b(?:true|false|null)\\b|-?${numbers.source}`),
  },
  python: {
    comment: hash,
    string: quoted,
    keyword:
      /\b(?:and|as|async|await|class|def|elif|else|except|for|from|if|import|in|is|not|or|print|raise|return|try|while|with)\b/,
    literal: new RegExp(`\\b(?:True|False|None)\\b|${numbers.source}`),
  },
  sh: {
    comment: hash,
    string: /"(?:\\.|[^"\\])*"|'[^']*'/,
    keyword: /\b(?:do|done|else|export|fi|for|if|in|then|while)\b(?=\s|;|$)/,
    literal: /\$\{?\w+\}?/,
    name: /(?<=\s)--?[A-Za-z][\w-]*/,
  },
  yaml: { comment: hash, name: /(?<=^[\s-]*)[\w.-]+(?=:(?:\s|$))/, string: quoted, literal: /\b(?:true|false|null)\b/ },
  toml: { comment: hash, name: /^\[.*\]$|^[\w.]+(?=\s*=)/, string: quoted, literal: numbers },
  sql: {
    comment: /--.*/,
    string: /'[^']*'/,
    keyword:
      /\b(?:and|as|begin|by|create|delete|end|from|function|grant|group|insert|into|join|language|not|null|on|or|order|returns?|select|set|table|then|to|update|values|when|where|with)\b/i,
    literal: numbers,
  },
  nginx: { comment: hash, string: quoted, literal: /\$\w+/, name: /(?<=^\s*)[a-z_]+(?=\s)/ },
  http: { keyword: /^(?:GET|POST|PUT|PATCH|DELETE) .*/, name: /^[A-Za-z-]+(?=:)/, string: quoted },
  diff: { added: /^\+.*/, removed: /^-.*/ },
}

/** Code as HTML, colored by classes: the gateway's content security policy blocks style attributes. */
export function highlight(code: string, language: string): string {
  const grammar = grammars[language.replace(/\s.*/, '')] ?? {}
  const kinds = Object.entries(grammar).map(([kind, pattern]) => `(?<${kind}>${pattern.source})`)
  const text = code.trimEnd()
  const pattern = new RegExp(kinds.join('|'), language === 'sql' ? 'gim' : 'gm')
  let html = ''
  let end = 0
  for (const { 0: found, index, groups = {} } of kinds.length === 0 ? [] : text.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    html += `${escape(text.slice(end, index))}<span class="code-${kind}">${escape(found)}</span>`
    end = index + found.length
  }
  return `<pre class="shiki" tabindex="0" v-pre><code>${html}${escape(text.slice(end))}</code></pre>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
