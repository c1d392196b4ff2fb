import { expect, it } from 'vitest'
import { parseXml, type XmlTerms } from './parse-xml.ts'
import { attributeOf, childrenNamed, walkXml } from './xml-element.ts'

const terms: XmlTerms = { charactersMax: 1_000, elementsMax: 40, skipsComments: false }

it('reads elements, attributes, text and namespaces', () => {
  const root = parseXml(
    `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
<a:one xmlns:a="urn:a" xmlns="urn:d" key='va"lue' a:key="&lt;&#65;&#x42;&quot;&gt;&amp;&apos;">
  text<two/>more<a:two>&amp;amp;</a:two><two xmlns="">x</two>
</a:one>
`,
    terms,
  )
  expect([root.namespace, root.name, root.declared]).toEqual(['urn:a', 'one', ['urn:a', 'urn:d']])
  expect(root.attributes).toEqual([
    { namespace: '', name: 'key', value: 'va"lue' },
    { namespace: 'urn:a', name: 'key', value: `<AB">&'` },
  ])
  expect(root.text.trim()).toBe('textmore')
  expect(root.children.map(({ namespace, name, text }) => [namespace, name, text])).toEqual([
    ['urn:d', 'two', ''],
    ['urn:a', 'two', '&amp;'],
    ['', 'two', 'x'],
  ])
  expect(childrenNamed(root, 'urn:a', 'two')).toEqual([root.children[1]])
  expect([attributeOf(root, 'key'), attributeOf(root, 'none')]).toEqual(['va"lue', null])
  expect([...walkXml(root)].map(({ parent }) => parent?.name ?? null)).toEqual([null, 'one', 'one', 'one'])
})

it('reads line ends as one character, and keeps those that were written as entities', () => {
  expect(parseXml('<a>1\r\n2\r3&#13;4</a>', terms).text).toBe('1\n2\n3\r4')
  expect(parseXml('<a b="1\n2\t3"/>', terms).attributes[0]?.value).toBe('1 2 3')
})

it('skips comments and instructions only where they are allowed', () => {
  const text = '<!-- one --><?style sheet?><a>x<!-- two -->y</a>'
  expect(parseXml(text, { ...terms, skipsComments: true }).text).toBe('xy')
  expect(() => parseXml(text, terms)).toThrow('a comment or an instruction')
  expect(() => parseXml('<a><?style sheet?></a>', terms)).toThrow('a comment or an instruction')
})

it.each([
  ['', 'not complete'],
  ['<a>', 'not complete'],
  ['<a><b></a></b>', 'do not match'],
  ['</a>', 'do not match'],
  ['<a/><b/>', 'more than one root'],
  ['<a/>text', 'outside its root'],
  ['text<a/>', 'outside its root'],
  ['<!DOCTYPE a><a/>', 'document type'],
  ['<a><!ENTITY b "c"></a>', 'document type'],
  ['<a><![CDATA[x]]></a>', 'not valid'],
  ['<a>]]></a>', 'not valid'],
  ['<a b=c/>', 'not valid'],
  ['<a b="<"/>', 'not valid'],
  ['<a b="1"c="2"/>', 'not valid'],
  ['<1/>', 'not valid'],
  ['<a:b:c/>', 'not valid'],
  ['<é/>', 'not valid'],
  ['<a b="1" b="2"/>', 'attribute b twice'],
  ['<a xmlns:p="urn:p" xmlns:q="urn:p" p:b="1" q:b="2"/>', 'an attribute twice'],
  ['<p:a/>', 'the prefix p'],
  ['<a p:b="1"/>', 'the prefix p'],
  ['<a xmlns:p=""/>', 'namespace that is not allowed'],
  ['<a xmlns:xml="urn:x"/>', 'namespace that is not allowed'],
  ['<a xmlns:xmlns="urn:x"/>', 'namespace that is not allowed'],
  ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', 'namespace that is not allowed'],
  ['<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>', 'namespace that is not allowed'],
  ['<a>&who;</a>', 'entity'],
  ['<a>&</a>', 'entity'],
  ['<a>& b</a>', 'entity'],
  ['<a>&lt</a>', 'entity'],
  ['<a>&#0;</a>', 'entity'],
  ['<a>&#xD800;</a>', 'entity'],
  ['<a>&#x110000;</a>', 'entity'],
  ['<a>\u0000</a>', 'characters'],
  ['<a>\uD800</a>', 'characters'],
  ['<?xml version="1.1"?><a/>', 'not valid'],
  ['<?xml version="1.0" encoding="utf-16"?><a/>', 'not valid'],
  ['<a><?xml version="1.0"?></a>', 'not valid'],
  ['<a>'.repeat(33), 'too deeply'],
  [`<a>${'<b/>'.repeat(40)}</a>`, 'too many elements'],
  [`<a ${Array.from({ length: 65 }, (_, at) => `b${at}="1"`).join(' ')}/>`, 'too many attributes'],
  [' '.repeat(1_001), 'longer than 1000'],
])('refuses %s', (text, words) => {
  expect(() => parseXml(text, terms)).toThrow(words)
})

it('takes time in proportion to its input', () => {
  const large = { charactersMax: 2_000_000, elementsMax: 1, skipsComments: true }
  for (const text of ['<a b="', '<!--', '<?x', `<a ${' '.repeat(9)}`, '&'.repeat(9)]) {
    expect(() => parseXml(text.repeat(150_000), large)).toThrow()
  }
})
