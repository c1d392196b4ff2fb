import { childrenNamed, type XmlElement } from '#lib/xml/xml-element.ts'

/** Why a provider's answer or metadata is refused, in words for the organization's administrators. */
export class SamlFault extends Error {}

/** The only child of this name. */
export function readOnlyChild(parent: XmlElement, namespace: string, name: string): XmlElement {
  const child = findOnlyChild(parent, namespace, name)
  if (child === null) throw new SamlFault(`The ${parent.name} element has no ${name} element.`)
  return child
}

/** The only child of this name, or null if there is none. */
export function findOnlyChild(parent: XmlElement, namespace: string, name: string): XmlElement | null {
  const [child, second] = childrenNamed(parent, namespace, name)
  if (second !== undefined) throw new SamlFault(`The ${parent.name} element has more than one ${name} element.`)
  return child ?? null
}

/** The text of an element that has no children, without surrounding spaces. */
export function readText(element: XmlElement): string {
  if (element.children.length > 0) throw new SamlFault(`The ${element.name} element has elements in place of text.`)
  return element.text.trim()
}
