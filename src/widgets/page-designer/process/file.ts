import type { ProcessDocument } from '../../../schema/generated/process'
import { isObject } from '../../../schema/overlay'
import type { Locale } from '../../../schema/problem'
import { processTexts } from './texts'

/** Saves a process as a file, in the shape of those under `schemas/<module>/processes`. */
export const exportProcess = (document: ProcessDocument): void => {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(document, null, 2)}\n`], { type: 'application/json' }))
  const link = globalThis.document.createElement('a')
  link.href = url
  link.download = `${document.name || 'process'}.json`
  link.click()
  URL.revokeObjectURL(url)
}

/** The process that a file holds, or why it is none. What is wrong inside of it is told while it is designed. */
export const readProcess = (text: string, locale: Locale): ProcessDocument | string => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return processTexts[locale].importBadJson(error instanceof Error ? error.message : String(error))
  }
  const fits =
    isObject(value) &&
    typeof value.name === 'string' &&
    isObject(value.label) &&
    isObject(value.form) &&
    isObject(value.form.fields) &&
    Array.isArray(value.nodes) &&
    value.nodes.length >= 2 &&
    areNodes(value.nodes)
  return fits ? (value as unknown as ProcessDocument) : processTexts[locale].importBad
}

const areNodes = (nodes: readonly unknown[]): boolean =>
  nodes.every(
    (node) =>
      isObject(node) &&
      typeof node.id === 'string' &&
      typeof node.kind === 'string' &&
      (node.branches === undefined ||
        (Array.isArray(node.branches) &&
          node.branches.every(
            (branch: unknown) =>
              isObject(branch) && typeof branch.id === 'string' && Array.isArray(branch.nodes) && areNodes(branch.nodes),
          ))),
  )
