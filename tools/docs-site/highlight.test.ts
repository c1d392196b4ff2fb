import { expect, it } from 'vitest'
import { highlight } from './highlight.ts'

const inner = (code: string, language: string) => /<code>([\s\S]*)<\/code>/.exec(highlight(code, language))?.[1]

it.each([
  [
    'sh',
    'curl -N $URL # now',
    'curl <span class="code-name">-N</span> <span class="code-literal">$URL</span> <span class="code-comment"># now</span>',
  ],
  [
    'json',
    '{"a": "b", "c": 1.5}',
    '{<span class="code-name">"a"</span>: <span class="code-string">"b"</span>, <span class="code-name">"c"</span>: <span class="code-literal">1.5</span>}',
  ],
  [
    'js',
    "const a = 'x' // <b>",
    '<span class="code-keyword">const</span> a = <span class="code-string">\'x\'</span> <span class="code-comment">// &lt;b&gt;</span>',
  ],
  ['diff', '+new\n-old\n same', '<span class="code-added">+new</span>\n<span class="code-removed">-old</span>\n same'],
  ['text', '{{ a }} && <b>', '{{ a }} &amp;&amp; &lt;b&gt;'],
])('colours %s by classes', (language, code, html) => {
  expect(inner(code, language)).toBe(html)
})

it('makes a block that the keyboard can scroll and that no template is read from', () => {
  expect(highlight('a', 'text')).toBe('<pre class="shiki" tabindex="0" v-pre><code>a</code></pre>')
})
