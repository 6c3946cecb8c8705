import type { FormNode } from '../generated/page'

/** Models that a page of Formily makes in its own code for tabs, steps and folds; the portal's containers make theirs themselves. */
const MODELS: ReadonlySet<string> = new Set(['formTab', 'formStep', 'formCollapse'])
/** The setting in which Formily looks for the heading of a part; people write it as the title, too. */
const HEADINGS: Readonly<Record<string, string>> = { 'FormTab.TabPane': 'tab', 'FormCollapse.CollapsePanel': 'header' }

/** A node of Formily's containers with the settings that its component reads; any other as it is. */
export const withPartSettings = (node: FormNode): FormNode => {
  const heading = HEADINGS[node['x-component'] ?? '']
  const given = Object.entries(node['x-component-props'] ?? {}).filter(([name]) => !MODELS.has(name))
  const title = heading === undefined || node.title === undefined ? [] : [[heading, node.title] as const]
  return node['x-component-props'] === undefined && title.length === 0
    ? node
    : { ...node, 'x-component-props': Object.fromEntries([...title, ...given]) }
}
