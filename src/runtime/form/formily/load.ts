import type { FormNodeModel } from '../../../schema/model'
import { loadPart } from '../../part/loadPart'
import type { FormilyPart } from '../../../headless/form/types'

let loaded: FormilyPart | undefined

/** What a form needs that Formily draws in part; undefined until a form has loaded it. */
export const formilyPart = (): FormilyPart | undefined => loaded

export const loadFormilyPart = async (): Promise<FormilyPart> => {
  loaded ??= (await loadPart(() => import('../../../headless/form/part'))).part
  return loaded
}

/** Components of Formily begin with a capital letter; Group is the portal's. */
const FOREIGN = /^(?!Group$)[A-Z]/

/** True when a form may hold what Formily draws: the part then decides node by node. */
export const mayNeedFormily = (node: FormNodeModel | undefined): boolean =>
  node !== undefined &&
  (FOREIGN.test(String(node['x-component'])) ||
    node['x-decorator'] !== undefined ||
    // a list in a list, or in a row
    node.items?.type === 'array' ||
    [node.items, ...Object.values(node.items?.properties ?? {}), ...Object.values(node.properties ?? {})].some(
      (child) => (node.items !== undefined && child?.items !== undefined) || mayNeedFormily(child),
    ))
