import type { Difference } from '../../../src/schema/overlay'
import type { Problem } from '../../../src/schema/problem'
import { can, ServiceError, type RequestContext } from '../../platform/http'
import type { Overlay } from './compose'
import { actsOtherwise } from './entityChange'
import type { LiveSchemas, Snapshot } from './live'
import type { WideningDifference } from './widening/describe'

/** Who releases what records do by themselves or besides needs this key too. */
const EFFECTS = 'setModule:pages:effects'
/** Who releases what lets somebody see or do more needs the key of whoever edits roles too. */
const RIGHTS = 'setModule:authManage:permissions:edit'

export interface DraftKey {
  target: string
  role: string
}

export type NamedDifference = Difference & DraftKey

/** What records do, nobody changes by the way. @throws ServiceError 10010003 without the key for it */
export function requireEffects(
  context: RequestContext,
  live: LiveSchemas,
  snapshot: Snapshot,
  entities: readonly Overlay[],
): void {
  if (can(context, EFFECTS)) return
  const changed = entities.find(({ target }) => {
    const name = target.slice('entity:'.length)
    return actsOtherwise(live.entity(name), snapshot.entity(name))
  })
  if (!changed) return
  const label = live.entity(changed.target.slice('entity:'.length))?.label ?? { zh: changed.target, en: changed.target }
  throw new ServiceError('noPermission', {
    message: {
      zh: `此次发布改变了“${label.zh}”的效果、自动流转或期限，需要权限 ${EFFECTS}。`,
      en: `This release changes effects, automatic transitions or deadlines of "${label.en}", which needs the permission ${EFFECTS}.`,
    },
    data: { permission: EFFECTS },
  })
}

/** Rights are not given by the way. @throws ServiceError 10010003 without the key for it */
export async function requireRights(context: RequestContext, find: () => Promise<readonly WideningDifference[]>): Promise<void> {
  if (can(context, RIGHTS)) return
  const widened = await find()
  if (widened.length === 0) return
  throw new ServiceError('noPermission', {
    message: {
      zh: `此次发布使人能看到或做到更多，还需要权限 ${RIGHTS}。${widened.map(({ text }) => text.zh).join('；')}。`,
      en: `This release lets people see or do more, which needs the permission ${RIGHTS} besides. ${widened.map(({ text }) => text.en).join('; ')}.`,
    },
    data: { permission: RIGHTS, differences: widened },
  })
}

/** @throws ServiceError for risks that nobody had a second look at */
export function requireAccepted(differences: readonly NamedDifference[], accepted: readonly string[]): void {
  const open = differences.filter(({ risk, id }) => risk && !accepted.includes(id))
  if (open.length === 0) return
  throw new ServiceError('validationFailed', {
    message: {
      zh: `有 ${open.length} 处有风险的变更还没有确认：${open.map(({ text }) => text.zh).join('；')}。`,
      en: `${open.length} risky changes have not been confirmed: ${open.map(({ text }) => text.en).join('; ')}.`,
    },
    data: { differences: open },
  })
}

/** The documents are not right with the changes: nothing is released. */
export const refused = (problems: readonly Problem[]): ServiceError =>
  new ServiceError('validationFailed', {
    message: {
      zh: `不能发布，有 ${problems.length} 个问题：${problems.map(({ message }) => message.zh).join('；')}`,
      en: `It cannot be released, there are ${problems.length} problems: ${problems.map(({ message }) => message.en).join('; ')}`,
    },
    data: { problems },
  })

/** A document could not even be looked at with the changes: nothing is kept. */
export const notReadable = (problems: readonly Problem[]): ServiceError =>
  new ServiceError('validationFailed', {
    message: {
      zh: `这份草稿无法读取，没有保存：${problems.map(({ at, message }) => `${at} ${message.zh}`).join('；')}`,
      en: `The draft cannot be read and was not saved: ${problems.map(({ at, message }) => `${at} ${message.en}`).join('; ')}`,
    },
    data: { problems },
  })
