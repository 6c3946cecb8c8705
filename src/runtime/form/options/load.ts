import type { FormNodeModel } from '../../../schema/model'
import type { Host } from '../../host'
import { loadPart } from '../../part/loadPart'
import type { FollowOptions } from '../engine/types'

let loaded: ((host: Host) => FollowOptions) | undefined

/** What keeps the options of a form; undefined until a form has loaded it. */
export const optionsPart = (): typeof loaded => loaded

export const loadOptionsPart = async (): Promise<void> => {
  loaded ??= (await loadPart(() => import('./choosing'))).followOptions
}

/** True when a form asks for options while it is open. */
export const needsOptions = (node: FormNodeModel | undefined): boolean =>
  node !== undefined &&
  (node['x-options'] !== undefined || needsOptions(node.items) || Object.values(node.properties ?? {}).some(needsOptions))
